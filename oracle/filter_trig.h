/* Sines, cosines and angles in double-double, with proven bounds.
 *
 * What is proved rests on the arithmetic of filter.h, on the tables below (every entry of which the
 * tests compare with MPFR) and on Taylor's theorem. u = 2^-53. */
#ifndef TRUELERP_ORACLE_FILTER_TRIG_H
#define TRUELERP_ORACLE_FILTER_TRIG_H

#include "filter.h"

#include <stdint.h>
#include <string.h>

enum { FILTER_QUARTER = 128 }; /* steps of pi/256 in a right angle */

/* sin(k pi/256), each part rounded to nearest: within u^2 of itself; 0 and 1 are exact. */
static const struct dd filter_sines[FILTER_QUARTER + 1] = {
    {0x0p+0, 0x0p+0},
    {0x1.921d1fcdec784p-7, 0x1.9878ebe836d9dp-61},
    {0x1.92155f7a3667ep-6, -0x1.b1d63091a013p-64},
    {0x1.2d865759455cdp-5, 0x1.686f65ba93acp-61},
    {0x1.91f65f10dd814p-5, -0x1.912bd0d569a9p-61},
    {0x1.f656e79f820ep-5, -0x1.2e1ebe392bffep-61},
    {0x1.2d52092ce19f6p-4, -0x1.9a088a8bf6b2cp-59},
    {0x1.5f6d00a9aa419p-4, -0x1.f4022d03f6c9ap-59},
    {0x1.917a6bc29b42cp-4, -0x1.e2718d26ed688p-60},
    {0x1.c3785c79ec2d5p-4, -0x1.4f39df133fb21p-61},
    {0x1.f564e56a9730ep-4, 0x1.a2704729ae56dp-59},
    {0x1.139f0cedaf577p-3, -0x1.523434d1b3cfap-57},
    {0x1.2c8106e8e613ap-3, 0x1.13000a89a11ep-58},
    {0x1.45576b1293e5ap-3, -0x1.285a24119f7b1p-58},
    {0x1.5e214448b3fc6p-3, 0x1.531ff779ddac6p-57},
    {0x1.76dd9de50bf31p-3, 0x1.1d5eeec501b2fp-57},
    {0x1.8f8b83c69a60bp-3, -0x1.26d19b9ff8d82p-57},
    {0x1.a82a025b00451p-3, -0x1.87905ffd084adp-57},
    {0x1.c0b826a7e4f63p-3, -0x1.af1439e521935p-62},
    {0x1.d934fe5454311p-3, 0x1.75b92277107adp-57},
    {0x1.f19f97b215f1bp-3, -0x1.42deef11da2c4p-57},
    {0x1.04fb80e37fdaep-2, -0x1.412cdb72583ccp-63},
    {0x1.111d262b1f677p-2, 0x1.824c20ab7aa9ap-56},
    {0x1.1d3443f4cdb3ep-2, -0x1.720d41c13519ep-57},
    {0x1.294062ed59f06p-2, -0x1.5d28da2c4612dp-56},
    {0x1.35410c2e18152p-2, -0x1.3cb002f96e062p-56},
    {0x1.4135c94176601p-2, 0x1.0c97c4afa2518p-56},
    {0x1.4d1e24278e76ap-2, 0x1.2417218792858p-57},
    {0x1.58f9a75ab1fddp-2, -0x1.efdc0d58cf62p-62},
    {0x1.64c7ddd3f27c6p-2, 0x1.10d2b4a664121p-58},
    {0x1.7088530fa459fp-2, -0x1.44b19e0864c5dp-56},
    {0x1.7c3a9311dcce7p-2, 0x1.9a3f21ef3e8d9p-62},
    {0x1.87de2a6aea963p-2, -0x1.72cedd3d5a61p-57},
    {0x1.9372a63bc93d7p-2, 0x1.684319e5ad5b1p-57},
    {0x1.9ef7943a8ed8ap-2, 0x1.6da81290bdbabp-57},
    {0x1.aa6c82b6d3fcap-2, -0x1.d5f106ee5ccf7p-56},
    {0x1.b5d1009e15ccp-2, 0x1.5b362cb974183p-57},
    {0x1.c1249d8011ee7p-2, -0x1.813aabb515206p-56},
    {0x1.cc66e9931c45ep-2, 0x1.6850e59c37f8fp-58},
    {0x1.d79775b86e389p-2, 0x1.550ec87bc0575p-56},
    {0x1.e2b5d3806f63bp-2, 0x1.e0d891d3c6841p-58},
    {0x1.edc1952ef78d6p-2, -0x1.dd0f7c33edee6p-56},
    {0x1.f8ba4dbf89abap-2, -0x1.2ec1fc1b776b8p-60},
    {0x1.01cfc874c3eb7p-1, -0x1.34a35e7c2368cp-56},
    {0x1.073879922ffeep-1, -0x1.a5a014347406cp-55},
    {0x1.0c9704d5d898fp-1, -0x1.8d3d7de6ee9b2p-55},
    {0x1.11eb3541b4b23p-1, -0x1.ef23b69abe4f1p-55},
    {0x1.1734d63dedb49p-1, -0x1.7eef2ccc50575p-55},
    {0x1.1c73b39ae68c8p-1, 0x1.b25dd267f66p-55},
    {0x1.21a799933eb59p-1, -0x1.3a7b177c68fb2p-55},
    {0x1.26d054cdd12dfp-1, -0x1.5da743ef3770cp-55},
    {0x1.2bedb25faf3eap-1, -0x1.14981c796ee46p-58},
    {0x1.30ff7fce17035p-1, -0x1.efcc626f74a6fp-57},
    {0x1.36058b10659f3p-1, -0x1.1fcb3a35857e7p-55},
    {0x1.3affa292050b9p-1, 0x1.e3e25e3954964p-56},
    {0x1.3fed9534556d4p-1, 0x1.36916608c5061p-55},
    {0x1.44cf325091dd6p-1, 0x1.8076a2cfdc6b3p-57},
    {0x1.49a449b9b0939p-1, -0x1.27ee16d719b94p-55},
    {0x1.4e6cabbe3e5e9p-1, 0x1.3c293edceb327p-57},
    {0x1.5328292a35596p-1, -0x1.a12eb89da0257p-56},
    {0x1.57d69348cecap-1, -0x1.75720992bfbb2p-55},
    {0x1.5c77bbe65018cp-1, 0x1.069ea9c0bc32ap-55},
    {0x1.610b7551d2cdfp-1, -0x1.251b352ff2a37p-56},
    {0x1.6591925f0783dp-1, 0x1.c3d64fbf5de23p-55},
    {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55},
    {0x1.6e74454eaa8afp-1, -0x1.dbc03c84e226ep-55},
    {0x1.72d0837efff96p-1, 0x1.0d4ef0f1d915cp-55},
    {0x1.771e75f037261p-1, 0x1.5cfce8d84068fp-56},
    {0x1.7b5df226aafafp-1, -0x1.0f537acdf0ad7p-56},
    {0x1.7f8ece3571771p-1, -0x1.9c8d8ce93c917p-55},
    {0x1.83b0e0bff976ep-1, -0x1.6f420f8ea3475p-56},
    {0x1.87c400fba2ebfp-1, -0x1.2dabc0c3f64cdp-55},
    {0x1.8bc806b151741p-1, -0x1.2c5e12ed1336dp-55},
    {0x1.8fbcca3ef940dp-1, -0x1.6dfa99c86f2f1p-57},
    {0x1.93a22499263fbp-1, 0x1.3d419a920df0bp-55},
    {0x1.9777ef4c7d742p-1, -0x1.15479a240665ep-55},
    {0x1.9b3e047f38741p-1, -0x1.30ee286712474p-55},
    {0x1.9ef43ef29af94p-1, 0x1.b1dfcb60445c2p-56},
    {0x1.a29a7a0462782p-1, -0x1.128bb015df175p-56},
    {0x1.a63091b02fae2p-1, -0x1.e911152248d1p-56},
    {0x1.a9b66290ea1a3p-1, 0x1.9f630e8b6dac8p-60},
    {0x1.ad2bc9e21d511p-1, -0x1.47fbe07bea548p-55},
    {0x1.b090a581502p-1, -0x1.926da300ffccep-55},
    {0x1.b3e4d3ef55712p-1, -0x1.eb6b8bf11a493p-55},
    {0x1.b728345196e3ep-1, -0x1.bc69f324e6d61p-55},
    {0x1.ba5aa673590d2p-1, 0x1.7ea4e370753b6p-55},
    {0x1.bd7c0ac6f952ap-1, -0x1.825a732ac700ap-55},
    {0x1.c08c426725549p-1, 0x1.b157fd80e2946p-58},
    {0x1.c38b2f180bdb1p-1, -0x1.6e0b1757c8d07p-56},
    {0x1.c678b3488739bp-1, 0x1.d86cac7c5ff5bp-57},
    {0x1.c954b213411f5p-1, -0x1.2fb761e946603p-58},
    {0x1.cc1f0f3fcfc5cp-1, 0x1.e57613b68f6abp-56},
    {0x1.ced7af43cc773p-1, -0x1.e7b6bb5ab58aep-58},
    {0x1.d17e7743e35dcp-1, -0x1.101da3540130ap-58},
    {0x1.d4134d14dc93ap-1, -0x1.4ef5295d25af2p-55},
    {0x1.d696173c9e68bp-1, -0x1.e8c61c6393d55p-56},
    {0x1.d906bcf328d46p-1, 0x1.457e610231ac2p-56},
    {0x1.db6526238a09bp-1, -0x1.adee7eae6946p-56},
    {0x1.ddb13b6ccc23cp-1, 0x1.83c37c6107db3p-55},
    {0x1.dfeae622dbe2bp-1, -0x1.514ea88425567p-55},
    {0x1.e212104f686e5p-1, -0x1.014c76c126527p-55},
    {0x1.e426a4b2bc17ep-1, 0x1.a873889744882p-55},
    {0x1.e6288ec48e112p-1, -0x1.16b56f2847754p-57},
    {0x1.e817bab4cd10dp-1, -0x1.d0afe686b5e0ap-56},
    {0x1.e9f4156c62ddap-1, 0x1.760b1e2e3f81ep-55},
    {0x1.ebbd8c8df0b74p-1, 0x1.c6c8c615e7277p-56},
    {0x1.ed740e7684963p-1, 0x1.e82c791f59cc2p-56},
    {0x1.ef178a3e473c2p-1, 0x1.6310a67fe774fp-55},
    {0x1.f0a7efb9230d7p-1, 0x1.52c7adc6b4989p-56},
    {0x1.f2252f7763adap-1, -0x1.20cb81c8d94abp-55},
    {0x1.f38f3ac64e589p-1, -0x1.d7bafb51f72e6p-56},
    {0x1.f4e603b0b2f2dp-1, -0x1.8ee01e695ac05p-56},
    {0x1.f6297cff75cbp-1, 0x1.562172a361fd3p-56},
    {0x1.f7599a3a12077p-1, 0x1.84f31d743195cp-55},
    {0x1.f8764fa714ba9p-1, 0x1.ab256778ffcb6p-56},
    {0x1.f97f924c9099bp-1, -0x1.e2ae0eea5963bp-55},
    {0x1.fa7557f08a517p-1, -0x1.7a0a8ca13571fp-55},
    {0x1.fb5797195d741p-1, 0x1.1bfac7397cc08p-56},
    {0x1.fc26470e19fd3p-1, 0x1.1ec8668ecaceep-55},
    {0x1.fce15fd6da67bp-1, -0x1.5dd6f830d4c09p-56},
    {0x1.fd88da3d12526p-1, -0x1.87df6378811c7p-55},
    {0x1.fe1cafcbd5b09p-1, 0x1.a23e3202a884ep-57},
    {0x1.fe9cdad01883ap-1, 0x1.521ecd0c67e35p-57},
    {0x1.ff095658e71adp-1, 0x1.01a8ce18a4b9ep-55},
    {0x1.ff621e3796d7ep-1, -0x1.c57bc2e24aa15p-57},
    {0x1.ffa72effef75dp-1, -0x1.8b4cdcdb25956p-55},
    {0x1.ffd886084cd0dp-1, -0x1.1354d4556e4cbp-55},
    {0x1.fff62169b92dbp-1, 0x1.5dda3c81fbd0dp-55},
    {0x1p+0, 0x0p+0},
};

enum { FILTER_SLOPES = 256 }; /* steps of 1/256 to the slope of 45 degrees */

/* arctan(k/256), each part rounded to nearest: within u^2 of itself; 0 is exact. */
static const struct dd filter_arctangents[FILTER_SLOPES + 1] = {
    {0x0p+0, 0x0p+0},
    {0x1.ffff5555bbbb7p-9, 0x1.4bb12afb6b6d5p-64},
    {0x1.fffd555bbba97p-8, 0x1.68062351fbbe6p-63},
    {0x1.7ffb80184c30ap-7, -0x1.725017508234bp-61},
    {0x1.fff555bbb729bp-7, -0x1.220c39d4dff5p-61},
    {0x1.3ff595f18a7p-6, -0x1.213eac36cfb2cp-60},
    {0x1.7fee0184a5c36p-6, -0x1.43189fc0a354bp-60},
    {0x1.bfe36df291712p-6, -0x1.e1bec7756100ep-61},
    {0x1.ffd55bba97625p-6, -0x1.5ec431444912cp-60},
    {0x1.1fe1a5c2ec497p-5, 0x1.886091e8fc4cbp-59},
    {0x1.3fd65f169c9d9p-5, 0x1.7230a716461b5p-61},
    {0x1.5fc89a5fa3b2dp-5, 0x1.2bb73bf4e7f99p-59},
    {0x1.7fb818430da2ap-5, -0x1.86ef8f794f105p-63},
    {0x1.9fa49986984dfp-5, 0x1.322907af0abc2p-59},
    {0x1.bf8ddf139c444p-5, -0x1.89fe34b2a7fa8p-59},
    {0x1.df73a9f9f1882p-5, -0x1.251b5c410bcb4p-62},
    {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
    {0x1.0f99ea71d52a7p-4, -0x1.2069feec3624fp-61},
    {0x1.1f86dbf082d59p-4, -0x1.095dc7732ef81p-59},
    {0x1.2f719318a4a9ap-4, 0x1.3fd1779b9801fp-63},
    {0x1.3f59f0e7c559dp-4, 0x1.ac4ce285df847p-58},
    {0x1.4f3fd677292fbp-4, 0x1.008d36264979ep-59},
    {0x1.5f2324fd2d7b2p-4, 0x1.8a8da4401318ep-58},
    {0x1.6f03bdcea4b0dp-4, -0x1.3f00e512fa17dp-60},
    {0x1.7ee182602f10fp-4, -0x1.cfb654c0c3d98p-58},
    {0x1.8ebc54478fb28p-4, 0x1.732880cad24ccp-59},
    {0x1.9e94153cfdcf1p-4, 0x1.a332e1d69c47ep-58},
    {0x1.ae68a71c722b8p-4, 0x1.c014e6910b9dbp-59},
    {0x1.be39ebe6f07c3p-4, 0x1.f7b8f29a05987p-58},
    {0x1.ce07c5c3cca32p-4, 0x1.138e6425918a7p-59},
    {0x1.ddd21701eba6ep-4, 0x1.94effcd76fe58p-58},
    {0x1.ed98c2190043bp-4, -0x1.3a598592c7b13p-61},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.068d584212b3ep-3, -0x1.9e2d283019bfdp-57},
    {0x1.0e6adccf40882p-3, -0x1.d71a31bb98d0dp-57},
    {0x1.164654106085p-3, 0x1.6bcee8ae7ea92p-57},
    {0x1.1e1fafb043727p-3, -0x1.b485914dacf8cp-59},
    {0x1.25f6e171a535cp-3, 0x1.7c6d7bde1a31p-57},
    {0x1.2dcbdb2fba1ffp-3, 0x1.8f28705561534p-58},
    {0x1.359e8edeb99a4p-3, -0x1.a5fd74e4604c6p-57},
    {0x1.3d6eee8c6626cp-3, 0x1.61a3b0ce9281bp-57},
    {0x1.453cec6092a9ep-3, 0x1.1f653b3a5a78bp-57},
    {0x1.4d087a9da4f17p-3, 0x1.1f323f1adf158p-57},
    {0x1.54d18ba11570ap-3, 0x1.18282f2884073p-57},
    {0x1.5c9811e3ec26ap-3, -0x1.054ab2c010f3dp-58},
    {0x1.645bfffb3aa74p-3, -0x1.f536b677c2cb4p-60},
    {0x1.6c1d4898933d9p-3, -0x1.2954a7603c427p-58},
    {0x1.73dbde8a7d202p-3, -0x1.5ad0f6d4a665dp-58},
    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
    {0x1.8350be398ebc8p-3, -0x1.5a91332b9c90dp-58},
    {0x1.8b06ee2879c29p-3, -0x1.118cd30308c4fp-57},
    {0x1.92ba37d050272p-3, -0x1.0d3ded0ff4764p-57},
    {0x1.9a6a8e96c8626p-3, 0x1.cf601e7b4348ep-59},
    {0x1.a217e601081a6p-3, -0x1.0def8a60af374p-57},
    {0x1.a9c231b403279p-3, 0x1.0e8bbe89cca85p-57},
    {0x1.b1696574d780cp-3, -0x1.85ab8fc15a673p-58},
    {0x1.b90d7529260a2p-3, 0x1.17b10d2e0e5abp-61},
    {0x1.c0ae54d768467p-3, -0x1.04cdbf55f26dcp-57},
    {0x1.c84bf8a742e6ep-3, -0x1.95bdd0682ea26p-58},
    {0x1.cfe654e1d5395p-3, 0x1.47b9a3f71eafbp-57},
    {0x1.d77d5df205736p-3, 0x1.c648d1534597ep-57},
    {0x1.df110864c9d9ep-3, -0x1.5818b53bf4781p-60},
    {0x1.e6a148e96ec4dp-3, 0x1.866b22029f765p-57},
    {0x1.ee2e1451d980dp-3, -0x1.9a7708c46ba91p-58},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.fd3d1fc40dbe4p-3, 0x1.37146f3a1c5eap-59},
    {0x1.025fa510665b6p-2, -0x1.672df6832fa48p-56},
    {0x1.061eea03d6291p-2, -0x1.5f760db154301p-59},
    {0x1.09dc597d86362p-2, 0x1.62e47390cb865p-56},
    {0x1.0d97ee509acb3p-2, 0x1.47c317bd5a3ebp-56},
    {0x1.1151a362431cap-2, -0x1.4dc8dc9077b9fp-56},
    {0x1.150973a9ce547p-2, -0x1.796ba7f9ca328p-56},
    {0x1.18bf5a30bf178p-2, 0x1.30ca4748b1bf9p-57},
    {0x1.1c735212dd884p-2, -0x1.7d9ac78cb2f2ep-57},
    {0x1.2025567e47c96p-2, -0x1.1832328f4290ep-57},
    {0x1.23d562b381042p-2, -0x1.c531716200088p-58},
    {0x1.278372057ef46p-2, -0x1.077cdd36dfc81p-56},
    {0x1.2b2f7fd9b5fe2p-2, 0x1.423cfc1c2d443p-61},
    {0x1.2ed987a823cfep-2, 0x1.b91258ea012cap-57},
    {0x1.328184fb58952p-2, -0x1.a95f0a9939f2fp-56},
    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
    {0x1.39cb4eb76157cp-2, -0x1.2f4da5a214713p-56},
    {0x1.3d6d129271134p-2, 0x1.137ca41cc958ap-56},
    {0x1.410cbad6c7d33p-2, -0x1.b0c8bae13b512p-56},
    {0x1.44aa436c2af0ap-2, -0x1.5d5e43c55b3bap-56},
    {0x1.4845a84d0c21bp-2, 0x1.1e28a7563c6a6p-56},
    {0x1.4bdee586890e7p-2, -0x1.e4dc77c22a757p-57},
    {0x1.4f75f73869979p-2, -0x1.95a1cf7ff1108p-58},
    {0x1.530ad9951cd4ap-2, -0x1.2566480884082p-57},
    {0x1.569d88e1b4cd8p-2, -0x1.fec61e713cfe2p-57},
    {0x1.5a2e0175e0f4ep-2, 0x1.13b7a8f82e457p-56},
    {0x1.5dbc3fbbe768dp-2, 0x1.ea0ec1b76f7dap-57},
    {0x1.614840309cfe2p-2, -0x1.a725715711fp-56},
    {0x1.64d1ff635c1c6p-2, -0x1.fa403e7c0fdbep-56},
    {0x1.685979f5fa6fep-2, -0x1.257814d1ada9cp-59},
    {0x1.6bdeac9cbd76dp-2, -0x1.a5c563e6de828p-58},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.72e22d53aa2aap-2, -0x1.d9c934e79f27cp-56},
    {0x1.7660752817502p-2, -0x1.dd11791cc76p-59},
    {0x1.79dc6899118d1p-2, 0x1.b7413a0ef606dp-61},
    {0x1.7d5604b63b3f7p-2, 0x1.69c885c2b249ap-56},
    {0x1.80cd46a14b1d1p-2, -0x1.e79f99684fa19p-56},
    {0x1.84422b8df95d7p-2, 0x1.d76a0299b41b6p-56},
    {0x1.87b4b0c1ebedcp-2, -0x1.6dcfaa2fa470fp-56},
    {0x1.8b24d394a1b25p-2, 0x1.b6d0ba3748fa8p-56},
    {0x1.8e92916f5cde8p-2, 0x1.4c0a7e12bfafbp-56},
    {0x1.91fde7cd0c662p-2, 0x1.1074188054b53p-56},
    {0x1.9566d43a34907p-2, 0x1.9b01537e0af2bp-57},
    {0x1.98cd5454d6b18p-2, 0x1.9e6c988fd0a77p-56},
    {0x1.9c3165cc58107p-2, 0x1.b669602250cfbp-59},
    {0x1.9f93066168002p-2, -0x1.c827047c9439ap-56},
    {0x1.a2f233e5e530bp-2, 0x1.814d5f797086bp-58},
    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
    {0x1.a9a92d59e98cfp-2, 0x1.2e42dff75d817p-59},
    {0x1.ad00f5422058bp-2, 0x1.fc4c33891d2e8p-56},
    {0x1.b056420ae9344p-2, -0x1.9313946363455p-56},
    {0x1.b3a911da65c6cp-2, 0x1.ae187b1ca504p-56},
    {0x1.b6f962e737efcp-2, -0x1.ca53464981e71p-58},
    {0x1.ba473378624a5p-2, 0x1.519a1b46e4affp-56},
    {0x1.bd9281e528192p-2, -0x1.4b15439af6b66p-56},
    {0x1.c0db4c94ec9fp-2, -0x1.cc1ce70934c34p-56},
    {0x1.c42191ff11eb7p-2, -0x1.b17df434b3eeep-56},
    {0x1.c76550aad71f9p-2, -0x1.74b8bff7043e4p-56},
    {0x1.caa6872f3631bp-2, 0x1.9506781636f48p-61},
    {0x1.cde53432c1351p-2, -0x1.a2cfa4418f1adp-56},
    {0x1.d121566b7f2adp-2, 0x1.be67835886c3p-56},
    {0x1.d45aec9ec862bp-2, 0x1.89421163ef92dp-57},
    {0x1.d791f5a1226f5p-2, -0x1.4017ea5b64a76p-57},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.ddf85bb026974p-2, 0x1.43bbb0c0a1226p-57},
    {0x1.e127b6b0744bp-2, -0x1.2b0986398d4abp-58},
    {0x1.e4548066cf51ap-2, 0x1.3a3aa12ce98f2p-59},
    {0x1.e77eb7f175a34p-2, 0x1.0e53dc1bf3435p-56},
    {0x1.eaa65c7cf28c4p-2, 0x1.2fb2ceca3bf05p-57},
    {0x1.edcb6d43f8435p-2, -0x1.fc976330884e4p-58},
    {0x1.f0ede98f393dp-2, -0x1.2f40a87cb1894p-56},
    {0x1.f40dd0b541418p-2, -0x1.a3992dc382a23p-57},
    {0x1.f72b221a4e495p-2, 0x1.489c20f7eb74p-58},
    {0x1.fa45dd3029259p-2, -0x1.ca563dc28d8b5p-56},
    {0x1.fd5e0175fdf83p-2, 0x1.3a87b1ec49b15p-57},
    {0x1.0039c73c1a40cp-1, -0x1.b32c949c9d593p-55},
    {0x1.01c341e82422dp-1, 0x1.3db44fcca90eep-55},
    {0x1.034b709250488p-1, 0x1.8f9b38d85541p-56},
    {0x1.04d25314342e6p-1, -0x1.1c8636442c767p-55},
    {0x1.0657e94db30dp-1, -0x1.d5b495f6349e6p-56},
    {0x1.07dc3324e9b38p-1, 0x1.b70c9e04450acp-56},
    {0x1.095f30861a59p-1, -0x1.121b20a15a9f3p-56},
    {0x1.0ae0e1639866cp-1, 0x1.075abf2de445ap-56},
    {0x1.0c6145b5b43dap-1, 0x1.974fa13b5404fp-58},
    {0x1.0de05d7aa6f7dp-1, -0x1.83684b1c529abp-56},
    {0x1.0f5e28b67e295p-1, 0x1.311b17ec990dp-65},
    {0x1.10daa77307a0dp-1, 0x1.69c33d44c7b05p-55},
    {0x1.1255d9bfbd2a9p-1, -0x1.2bdaee1c0ee35p-58},
    {0x1.13cfbfb1b056ep-1, 0x1.3110e6fc3ed38p-55},
    {0x1.154859637646ap-1, -0x1.4ba7c548bf3c3p-55},
    {0x1.16bfa6f5137e1p-1, 0x1.9606fe141bd35p-56},
    {0x1.1835a88be7c13p-1, 0x1.c621cec00c301p-55},
    {0x1.19aa5e5299f9ap-1, -0x1.a606c2c58f835p-55},
    {0x1.1b1dc87904285p-1, -0x1.21e8c8aef8f29p-57},
    {0x1.1c8fe7341f64fp-1, 0x1.28bbc9d5e792ap-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.1f7043557138ap-1, 0x1.6c659f6d7dd47p-56},
    {0x1.20de813e823b2p-1, -0x1.791d753ebb744p-55},
    {0x1.224b74c1d192ap-1, 0x1.d6d3df88a60c4p-55},
    {0x1.23b71e2cc9e6ap-1, 0x1.c421c9f38224ep-57},
    {0x1.25217dd17e501p-1, 0x1.56aa88c1b679cp-55},
    {0x1.268a940696da6p-1, 0x1.d1348a04c73ccp-58},
    {0x1.27f261273d1b3p-1, 0x1.43bf36151dd9fp-55},
    {0x1.2958e59308e31p-1, -0x1.09e73b0c6c087p-56},
    {0x1.2abe21aded073p-1, 0x1.c28c001ad022ep-55},
    {0x1.2c2215e024466p-1, -0x1.4b810da3a4be1p-59},
    {0x1.2d84c2961e48cp-1, -0x1.f25420a36e506p-56},
    {0x1.2ee628406cbcap-1, 0x1.c5d5e9ff0cf8dp-55},
    {0x1.30464753b090bp-1, -0x1.3e71261da18f3p-56},
    {0x1.31a52048874bep-1, 0x1.40cab87a7ac24p-55},
    {0x1.3302b39b78856p-1, 0x1.5dd2ed87ba82bp-55},
    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
    {0x1.35ba0b60ecccep-1, 0x1.e3ba19b9368b9p-55},
    {0x1.3713d0df6c504p-1, -0x1.4f789e031606dp-58},
    {0x1.386c52d3db11fp-1, -0x1.b78e1cbebe6ap-55},
    {0x1.39c391cd4171ap-1, -0x1.2304331d8bf46p-55},
    {0x1.3b198e5e2564bp-1, -0x1.2f9221f0752acp-56},
    {0x1.3c6e491c78dc5p-1, -0x1.e145094fd0ba7p-55},
    {0x1.3dc1c2a188504p-1, 0x1.2ce6370f4e971p-55},
    {0x1.3f13fb89e96f4p-1, 0x1.ecf8b492644fp-56},
    {0x1.4064f47569f49p-1, -0x1.aad88f91bf2b2p-55},
    {0x1.41b4ae06fea41p-1, 0x1.3d60a53277652p-57},
    {0x1.430328e4b26d6p-1, -0x1.131591070b99fp-55},
    {0x1.445065b795b56p-1, -0x1.f76d0163f79c8p-56},
    {0x1.459c652badc7fp-1, 0x1.199698e8e135cp-55},
    {0x1.46e727efe4716p-1, -0x1.39b9b1b844cc9p-57},
    {0x1.4830aeb5f7bfep-1, -0x1.a265666764a73p-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.4ac00b1c71762p-1, 0x1.b20e72382b9p-55},
    {0x1.4c05e22de94e5p-1, -0x1.c0ac1f09f2edfp-55},
    {0x1.4d4a8023414e8p-1, 0x1.e3a891daa88bp-57},
    {0x1.4e8de5bb6ec04p-1, 0x1.4a33dbeb3796cp-55},
    {0x1.4fd013b7dd17ep-1, 0x1.d513f3e7c24b5p-56},
    {0x1.51110adc5ed81p-1, 0x1.23dcd6832a63ep-56},
    {0x1.5250cbef1e9fbp-1, -0x1.539b7a322887p-58},
    {0x1.538f57b89061fp-1, -0x1.1bb74abda520cp-55},
    {0x1.54ccaf0362c8fp-1, 0x1.8a3247f8f43c1p-55},
    {0x1.5608d29c70c34p-1, 0x1.9939cf0de8088p-55},
    {0x1.5743c352b33bap-1, -0x1.ea00d34c87ea6p-55},
    {0x1.587d81f732fbbp-1, -0x1.5e5c9d8c5a95p-56},
    {0x1.59b60f5cfab9ep-1, -0x1.1b04c41026bc5p-55},
    {0x1.5aed6c5909517p-1, 0x1.7312f714a9436p-55},
    {0x1.5c2399c244261p-1, -0x1.31bd4e9e56b35p-55},
    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
    {0x1.5e8c6941043dp-1, -0x1.0bf75be451e7p-56},
    {0x1.5fbf0d0d5cc4ap-1, -0x1.b4cfd000b7158p-58},
    {0x1.60f084b46e05fp-1, -0x1.dbb8699945193p-55},
    {0x1.6220d115d7b8ep-1, -0x1.2b785350ee8c1p-57},
    {0x1.634ff312d1f3bp-1, 0x1.9d2f315f2b598p-55},
    {0x1.647deb8e20b9p-1, -0x1.eca04023a51cfp-58},
    {0x1.65aabb6c07b03p-1, -0x1.7939b3af32729p-57},
    {0x1.66d663923e087p-1, -0x1.6ea6febe8bbbap-56},
    {0x1.6800e4e7e2858p-1, -0x1.8ea6a1b3e90fp-58},
    {0x1.692a40556fb6ap-1, 0x1.d94b95a8ea2ccp-55},
    {0x1.6a5276c4b0576p-1, -0x1.f6b659c46a69ep-55},
    {0x1.6b798920b3d99p-1, -0x1.a80386188c50ep-55},
    {0x1.6c9f7855c3198p-1, 0x1.c09de29bd280dp-56},
    {0x1.6dc44551553afp-1, -0x1.bf8863573828ep-58},
    {0x1.6ee7f10204aefp-1, 0x1.692eea3066272p-55},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.712be84295198p-1, 0x1.5cd90337d8881p-55},
    {0x1.724c35b4fae7bp-1, 0x1.948b32db3499bp-58},
    {0x1.736b65a172dffp-1, 0x1.775fd06a892d1p-56},
    {0x1.748978fba8e0fp-1, 0x1.7b2a6165884a1p-59},
    {0x1.75a670b82d8d8p-1, 0x1.ee4ac4c729087p-55},
    {0x1.76c24dcc6c6cp-1, 0x1.1952551adc83dp-55},
    {0x1.77dd112ea22c7p-1, 0x1.732608fc10d3dp-55},
    {0x1.78f6bbd5d315ep-1, 0x1.406a08980374p-55},
    {0x1.7a0f4eb9c19a2p-1, 0x1.13c67cd815f57p-57},
    {0x1.7b26cad2e50fep-1, -0x1.ce80df30411fbp-55},
    {0x1.7c3d311a6092bp-1, 0x1.bb3cb2d303288p-55},
    {0x1.7d528289fa093p-1, 0x1.560821e2f3aa9p-55},
    {0x1.7e66c01c114fep-1, -0x1.c82b88b760b8dp-55},
    {0x1.7f79eacb97898p-1, 0x1.fd5ca80ead221p-55},
    {0x1.808c03940694bp-1, -0x1.00f327715f6a5p-55},
    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
    {0x1.82ad036000005p-1, 0x1.4592fce924d24p-56},
    {0x1.83bbec5cdee22p-1, 0x1.3107104ffc6c3p-57},
    {0x1.84c9c7653f7ebp-1, -0x1.83611fe0a3e8fp-60},
    {0x1.85d69576cc2c5p-1, 0x1.6b66e7fc8b8c3p-57},
    {0x1.86e2578f87ae5p-1, 0x1.022b1375cfe34p-55},
    {0x1.87ed0eadc5a2ap-1, 0x1.0af5ad957f4bcp-56},
    {0x1.88f6bbd023119p-1, -0x1.32d1d25aba66p-58},
    {0x1.89ff5ff57f1f8p-1, -0x1.55b9a5e177a1bp-55},
    {0x1.8b06fc1cf3dffp-1, -0x1.0fb312656db6dp-55},
    {0x1.8c0d9145cf49dp-1, 0x1.bea4076dc4333p-55},
    {0x1.8d13206f8c4cbp-1, -0x1.b018cbaa89a8bp-56},
    {0x1.8e17aa99cc05ep-1, -0x1.ec182ab042f61p-56},
    {0x1.8f1b30c44f167p-1, 0x1.dd1cab93933fdp-57},
    {0x1.901db3eeef187p-1, 0x1.68665e5603c8fp-55},
    {0x1.911f35199833bp-1, 0x1.3ae8a0edbf522p-57},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

/* pi/256 = high + middle + low, of which the first two have 32 significant bits, and low is within
 * 2^-181 of the rest, which is less than 2^-75. */
static const double FILTER_STEP_HIGH = 0x1.921fb544p-7;
static const double FILTER_STEP_MIDDLE = 0x1.0b4611a6p-41;
static const struct dd FILTER_STEP_LOW = {0x1.3198a2e037073p-76, 0x1.129024e088a68p-130};
static const double FILTER_STEPS_PER_RADIAN = 0x1.45f306dc9c883p+6;

/* pi, 1/3, 1/5 and 1/n! within u^2 of themselves */
static const struct dd FILTER_PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const struct dd FILTER_THIRD = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
static const struct dd FILTER_FIFTH = {0x1.999999999999ap-3, -0x1.999999999999ap-57};
static const struct dd FILTER_1_3 = {0x1.5555555555555p-3, 0x1.5555555555555p-57};
static const struct dd FILTER_1_4 = {0x1.5555555555555p-5, 0x1.5555555555555p-59};
static const struct dd FILTER_1_5 = {0x1.1111111111111p-7, 0x1.1111111111111p-63};

FILTER_INLINE struct approximation filter_pi(void)
{
    return approximation_of(FILTER_PI, 0x1p-104);
}

/* The largest angle that is reduced with its error, and what is left of any at most, pi/512 rounded
 * upwards */
#define FILTER_ANGLE_MAX 0x1p12
#define FILTER_REST_MAX 0.00614

/* x + y for |x.high| >= 1.9 |y.high| or x = 0, within 3 u^2 (1 + 4u) (|x| + |y|): dd_sum_loose, of
 * which the first sum is exact in this order too. So is the last one: s.high is at least 0.9/1.9 of
 * x.high, so that what is added to it, at most u (|x| + |y| + |s|), is less than 5u of it. Where
 * x = 0, that is y.low alone. */
FILTER_INLINE struct dd filter_ordered_sum(struct dd x, struct dd y)
{
    struct dd s = dd_of_fast_sum(x.high, y.high);
    return dd_of_fast_sum(s.high, s.low + (x.low + y.low));
}

/* A step of Horner's scheme in a small number z: c + z y, where |z y| <= |c| / 10^4, c is within
 * u^2 of itself, z.low at most 3u z and y.low at most 2.1u |y.high|. The high parts do not wait for
 * the low ones, as these are not made small against them. In units of u^2 and of |c|:
 *     the product: z.low y.low left out, 6.3, roundings of 3.1 and 6.1; of 10^-4      0.0016
 *     c.low + the product's low part, at most u + 6.1u of 10^-4: rounded within       1.0007
 *     the low part of the highs' sum, itself exact, + that, at most 2.0008u: within   2.0008
 * so that it is off by 3.004, by c's own 1, and by what y and z are off by; its low part is 2.001u
 * of it. */
FILTER_INLINE struct dd filter_horner(struct dd c, struct dd z, struct dd y)
{
    struct dd product = dd_of_product(z.high, y.high);
    double low = fma(z.low, y.high, fma(z.high, y.low, product.low));
    struct dd sum = dd_of_fast_sum(c.high, product.high);
    return (struct dd){sum.high, sum.low + (c.low + low)};
}

/* The first such step, of a y in double: 2.001 and c's own 1, and what z y, rounded, is off by. Its
 * low part is 2.001u of it. */
FILTER_INLINE struct dd filter_horner_first(struct dd c, double z, double y)
{
    struct dd sum = dd_of_fast_sum(c.high, z * y);
    return (struct dd){sum.high, sum.low + c.low};
}

/* r^2: r.low^2 left out, u^2; the low part at most 3u, rounded within 3 u^2. */
FILTER_INLINE struct dd filter_square(struct dd r)
{
    struct dd square = dd_of_product(r.high, r.high);
    return (struct dd){square.high, fma(2 * r.low, r.high, square.low)};
}

/* r + r z y, for a square z of filter_square and a y of filter_horner, |z y| <= 10^-5. In units of
 * u^2 and of |r z y|:
 *     r z: left out 3, roundings of 4 and 5; its low part at most 5u           12
 *     r z y: left out 11, roundings of 3.1 and 8.1; its low part at most 8.1u  22.2
 * and z's own 4: less than 0.0004 of |r|, to which the last addition adds 3.001 (the low part, of
 * 8.1u, is 0.0001u of |r|), and then what y is off by. */
FILTER_INLINE struct dd filter_beside(struct dd r, struct dd z, struct dd y)
{
    struct dd cube = dd_of_product(r.high, z.high);
    cube.low = fma(r.low, z.high, fma(r.high, z.low, cube.low));
    struct dd product = dd_of_product(cube.high, y.high);
    product.low = fma(cube.low, y.high, fma(cube.high, y.low, product.low));
    return filter_ordered_sum(r, product);
}

/* For |r| <= 0.00614, where z = r^2 <= 0.0000377; `square` is filter_square's, so that its high
 * part is within 3u of z. */

/* sin r = r + r z (-1/3! + z (1/5! + z (-1/7! + z/9! - z^2/11! + ...))). In units of u^2, relative
 * to r:
 *     left out, z^6/13! and less                                          0.00004
 *     from -z^3/7! on in double: the coefficient, the last addition and the product with z are
 *         within u each and z.high within 3u, and all smaller terms below u/100 of it: 6.1 u of
 *         0.0958 u                                                        0.585
 *     1/5! + that: 1 + 2.001 of z^2/5!                                    below 10^-9
 *     -1/3! + that: 1 + 3.004 of z/6                                      0.00003
 *     r + r z of that, z's own 4 in the steps before included             3.0015
 * together less than 3.6. */
#define FILTER_SINE_ERROR (3.6 * 0x1p-106)
FILTER_INLINE struct dd filter_sine_of_rest(struct dd r, struct dd square)
{
    double z = square.high;
    double tail =
        fma(z, fma(z, -0x1.ae64567f544e4p-26, 0x1.71de3a556c734p-19), -0x1.a01a01a01a01ap-13);
    struct dd sum = filter_horner_first(FILTER_1_5, z, tail);
    return filter_beside(r, square, filter_horner(dd_negative(FILTER_1_3), square, sum));
}

/* cos r - 1 = z (-1/2 + z (1/4! + z (-1/6! + z/8! - z^2/10! + ...))). In units of u^2:
 *     left out, z^6/12! and less                                          0.0005
 *     from -z^3/6! on in double: as above, 6.1 u of 0.6704 u              4.0895
 *     1/4! + that: 1 + 2.001 of z^2/4!                                    below 10^-8
 *     -1/2 + that: 3.004 of z/2                                           0.00006
 *     the product with z: left out 6.1, roundings of 3.1 and 6.1, z's own error 4, of z/2:
 *                                                                         0.0004
 * together less than 4.1. Its low part is at most 6.1u of it. */
#define FILTER_COSINE_ERROR (4.1 * 0x1p-106)
FILTER_INLINE struct dd filter_cosine_of_rest_less_1(struct dd square)
{
    double z = square.high;
    double tail =
        fma(z, fma(z, -0x1.27e4fb7789f5cp-22, 0x1.a01a01a01a01ap-16), -0x1.6c16c16c16c17p-10);
    struct dd half = {-0.5, 0};
    struct dd sum = filter_horner(half, square, filter_horner_first(FILTER_1_4, z, tail));
    struct dd product = dd_of_product(z, sum.high);
    product.low = fma(square.low, sum.high, fma(z, sum.low, product.low));
    return product;
}

/* x less the nearest multiple of pi/256, k pi/256, |k| < 2^19. k (in double) times the step's high
 * and middle parts is exact, of 51 bits. The true quotient is below 2^18.4; x.low, left out of it,
 * is u of it, the factor off by 0.6 u and the product rounded within 2^-35: k, a whole number
 * nearest to that product, is within 1/2 + 2^-33 of the quotient, so that |x - k pi/256| <=
 * pi/512 + 2^-39 < 0.00614.
 *
 * x.high - k high is exact: where k is not 0, |x.high| > 2^-8, so that both are multiples of 2^-60,
 * and the difference is below 2^-7, as k times the rest of the step is below 2^-21. So is that less
 * k middle, in two parts, the lower at most 0.0062 u. k is at most 81.5 |x| + 0.51, and low below
 * 2^-75.7, so that low times k is at most 2^-69 |x| + 2^-76; what its low part, below 2^-129.8,
 * would add is at most 2^-123 |x| + 2^-130, and what low is off by much less. So with m = |x.low| +
 * 2^-69 |x| + 2^-76, the rounding of x.low - k low is at most u m and that of its addition to the
 * lower part u (m + 0.0062 u): together, as 2 u 2^-69 = 2^-15 u^2, less than
 *     2.001 u |x.low| + (0.0063 + 1.5 2^-15 |x|) u^2,
 * and none where k = 0. */
FILTER_INLINE struct dd filter_rest(struct dd x, double k, double *error)
{
    struct dd rest = dd_of_difference(fma(-k, FILTER_STEP_HIGH, x.high), k * FILTER_STEP_MIDDLE);
    double low = rest.low + fma(-k, FILTER_STEP_LOW.high, x.low);
    double sum = 2.001 * 0x1p-53 * fabs(x.low) + 0x1p-106 * (0.0063 + 0x1.8p-15 * fabs(x.high));
    *error = k == 0 ? 0 : sum;
    return dd_of_sum(rest.high, low);
}

/* sin(k pi/256) */
FILTER_INLINE struct dd filter_table_sine(unsigned k)
{
    unsigned within = k % (2 * FILTER_QUARTER);
    unsigned folded = within <= FILTER_QUARTER ? within : 2 * FILTER_QUARTER - within;
    struct dd sine = filter_sines[folded];
    return k / (2 * FILTER_QUARTER) % 2 ? dd_negative(sine) : sine;
}

/* x + y z + v w for |x| >= 1.99 D, where D = |y z| + 3 |v w|, or x = 0 and v w = 0; w.low may be up
 * to 6.1u |w.high|. In units of u^2:
 *     y z: as dd_product, the last step of which is exact, 6.5; its low part at most 3u
 *     v w: left out 6.1, roundings of 7.1 and 8.1: 21.4; its low part at most 8.1u
 *     these low parts, together at most 3u |y z| + 8.1u |v w| and so 3u D: rounded within 3 D
 *     with the low part of the highs' sum, u D, at most 4u D: rounded within 4 D
 *     that and x.low: at most u (|x| + 4 D): rounded within |x| + 4 D
 *     with the low part of x.high + near.high, u (|x| + D): rounded within 2 |x| + 5 D
 * so that the additions make 3 |x| + 16 D (1 + 4u) of error; the last one is exact, as sum.high is
 * at least 0.49 |x| and what it is corrected by, u (2 |x| + 5 D), at most 10u of that. Where x = 0,
 * nothing is rounded but the product. */
FILTER_INLINE struct dd filter_near_sum(struct dd x, struct dd y, struct dd z, struct dd v,
                                        struct dd w)
{
    struct dd p = dd_of_product(y.high, z.high);
    struct dd q = dd_of_product(v.high, w.high);
    double p_low = fma(y.low, z.high, fma(y.high, z.low, p.low));
    double q_low = fma(v.low, w.high, fma(v.high, w.low, q.low));
    struct dd near = dd_of_sum(p.high, q.high);
    near.low += p_low + q_low;
    struct dd sum = dd_of_fast_sum(x.high, near.high);
    return dd_of_fast_sum(sum.high, sum.low + (x.low + near.low));
}

/* The sine and the cosine of k pi/256 + r, r being off by up to `reduction` and the angle itself by
 * `doubt` more. With S and C from the table, and s and 1 + c of r,
 *     sin x = S + (C s + S c),    cos x = C + (C c - S s).
 * S is 0, or at least 1.99 times filter_near_sum's D, 0.00614 |C| + 0.000057 |S|: sin(pi/256) =
 * 0.01227, |s| <= 0.00614 and |c| <= 0.000019. So is C. In units of u^2:
 *     S: 1.0001, and 3 in the sum                                              4.0001 |S|
 *     C s: the product 6.5, C 1.0001, s 3.6 of |r|, which |s| does not exceed; 16 in the sum:
 *                                                                              27.11 |C r|
 *     S c: 21.4 + 1.0001 + 48 (three times 16 in the sum) of 0.000019, and c's own error of 4.1:
 *                                                                              4.1014 |S|
 * and the same for cos x. Where k pi/256 is a multiple of pi/2, one of S and C is 0 and the other
 * 1 or -1, all products and the sum that makes the smaller one are exact, and only s's own 3.6 are
 * left of 27.11. Neither function changes by more than its argument. Underflow in 40 products at
 * most is below 40 * 2^-1072. */
FILTER_INLINE void filter_sine_cosine_of(unsigned k, struct dd r, double reduction, double doubt,
                                         struct approximation *sine, struct approximation *cosine)
{
    struct dd square = filter_square(r);
    struct dd s = filter_sine_of_rest(r, square);
    struct dd c = filter_cosine_of_rest_less_1(square);
    struct dd table_sine = filter_table_sine(k);
    struct dd table_cosine = filter_table_sine(k + FILTER_QUARTER);
    struct dd x_sine = filter_near_sum(table_sine, table_cosine, s, table_sine, c);
    struct dd x_cosine = filter_near_sum(table_cosine, dd_negative(table_sine), s, table_cosine, c);
    double sine_size = fabs(table_sine.high), cosine_size = fabs(table_cosine.high);
    double size = (k % FILTER_QUARTER == 0 ? 3.61 : 27.2) * fabs(r.high);
    double given = reduction + doubt;
    double sine_error = 0x1p-106 * (8.11 * sine_size + cosine_size * size) + given;
    double cosine_error = 0x1p-106 * (8.11 * cosine_size + sine_size * size) + given;
    *sine = approximation_of(x_sine, sine_error * FILTER_SLOP + FILTER_UNDERFLOW);
    *cosine = approximation_of(x_cosine, cosine_error * FILTER_SLOP + FILTER_UNDERFLOW);
}

/* The sine and the cosine of x, |x| <= 2^12; returns false beyond. */
FILTER_INLINE bool filter_sine_cosine(struct approximation x, struct approximation *sine,
                                      struct approximation *cosine)
{
    if (!(fabs(x.high) <= FILTER_ANGLE_MAX)) {
        return false;
    }
    double k = x.high * FILTER_STEPS_PER_RADIAN + 0x1.8p52 - 0x1.8p52;
    double reduction;
    struct dd rest = filter_rest(approximation_center(x), k, &reduction);
    filter_sine_cosine_of((unsigned)(int32_t)k, rest, reduction, x.error, sine, cosine);
    return true;
}

/* 64 bits before the point and 256 behind it of 1 / 2 pi, rounded down */
enum { FILTER_TURN_WORDS = 5 };
static const uint64_t filter_turn[FILTER_TURN_WORDS] = {0, UINT64_C(0x28be60db9391054a),
                                                        UINT64_C(0x7f09d5f47d4d3770),
                                                        UINT64_C(0x36d8a5664f10e410),
                                                        UINT64_C(0x7f9458eaf7aef158)};

/* 64 of these bits, from the given one on */
FILTER_INLINE uint64_t filter_turn_bits(unsigned first)
{
    unsigned word = first / 64, within = first % 64;
    return within == 0 ? filter_turn[word]
                       : filter_turn[word] << within | filter_turn[word + 1] >> (64 - within);
}

__extension__ typedef unsigned __int128 filter_wide;
__extension__ typedef __int128 filter_signed_wide;

/* The same for a double x from 1 to 2^62, however many turns that is (M. Payne, R. Hanek: Radian
 * reduction for trigonometric functions. SIGNUM Newsletter 18(1), 1983).
 *
 * With x = m 2^e, bits of 1 / 2 pi that 2^e makes whole numbers make whole turns; of the others,
 * 192 are multiplied by m. What is left out is below m 2^-192 < 2^-139, and of the product's
 * fraction, the bits below 2^-128. k is the nearest multiple of 1/512; the difference, of at most
 * 2^-10 turns, becomes a double-double within u^2 of itself, and its product with 2 pi is
 * within 6.5 + 1 more: in all 8.6 u^2 of pi/512 and 2^-127 turns, less than 0.06 u^2.
 *
 * The bit 64 - 1 - i places before the point is bit i of filter_turn. It makes whole numbers of
 * turns with m 2^e if i < e + 64, which is `first`, from 12 to 74 here: the three words end before
 * bit 266 of 320. Rounding up to 512/512 overflows to k = 0, of which `rest`, taken as a signed
 * number, is negative. */
#define FILTER_TURN_ERROR (0.06 * 0x1p-106)
#define FILTER_TURNS_MAX 0x1p62
FILTER_INLINE void filter_sine_cosine_of_turns(double x, struct approximation *sine,
                                               struct approximation *cosine)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    unsigned first = (unsigned)(bits >> 52) - 1023 - 52 + 64;
    filter_wide m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    filter_wide low = m * filter_turn_bits(first + 128);
    filter_wide middle = m * filter_turn_bits(first + 64) + (low >> 64);
    filter_wide high = m * filter_turn_bits(first) + (middle >> 64);
    filter_wide fraction = high << 64 | (uint64_t)middle;
    unsigned k = (unsigned)((fraction + ((filter_wide)1 << 118)) >> 119);
    filter_signed_wide rest = (filter_signed_wide)(fraction - ((filter_wide)k << 119));
    double leading = (double)rest;
    double trailing = (double)(rest - (filter_signed_wide)leading);
    struct dd turns = dd_scaled(dd_of_fast_sum(leading, trailing), 0x1p-127);
    filter_sine_cosine_of(k, dd_product(turns, FILTER_PI), FILTER_TURN_ERROR, 0, sine, cosine);
}

/* Those of a double; returns false beyond 2^62. */
FILTER_INLINE bool filter_sine_cosine_of_double(double x, struct approximation *sine,
                                                struct approximation *cosine)
{
    if (!(fabs(x) <= FILTER_TURNS_MAX)) {
        return false;
    }
    if (fabs(x) <= FILTER_ANGLE_MAX) {
        return filter_sine_cosine(approximation_of_double(x), sine, cosine);
    }
    filter_sine_cosine_of_turns(fabs(x), sine, cosine);
    *sine = x < 0 ? approximation_negative(*sine) : *sine;
    return true;
}

/* arctan w for |w| <= 0.00197, where z = w^2 <= 0.00000389:
 *     arctan w = w + w z (-1/3 + z (1/5 + z (-1/7 + z/9 - z^2/11 + ...)))
 * In units of u^2, relative to w:
 *     left out, z^6/13 and less                                           0.022
 *     from -z^3/7 on in double: as in the sine, 6.1 u of 0.0757 u         0.462
 *     1/5 + that: 1 + 2.001 of z^2/5                                      below 10^-10
 *     -1/3 + that: 1 + 3.004 of z/3                                       0.00001
 *     w + w z of that                                                     3.0015
 * together less than 3.5. */
#define FILTER_SLOPE_MAX 0.00197
#define FILTER_ARCTANGENT_ERROR (3.5 * 0x1p-106)
FILTER_INLINE struct dd filter_arctangent_of_rest(struct dd w)
{
    struct dd square = filter_square(w);
    double z = square.high;
    double tail =
        fma(z, fma(z, -0x1.745d1745d1746p-4, 0x1.c71c71c71c71cp-4), -0x1.2492492492492p-3);
    struct dd sum = filter_horner_first(FILTER_FIFTH, z, tail);
    return filter_beside(w, square, filter_horner(dd_negative(FILTER_THIRD), square, sum));
}

/* x / y, where `inverse` is 1 / y within 2.6 u of itself, and y off by at most 2^-60 of itself and
 * from 2^-900 to 2^900: as approximation_quotient, but with one division. With q = x.high / y.high
 * rounded, in units of u^2 |x / y|, to first order:
 *     x.high - p.high: exact (Sterbenz); that - p.low = x.high - q y.high, at most u: rounded    1
 *     x.low - q y.low, at most 2u: rounded                                                      2
 *     the sum of both, x - q y, at most 3u: rounded                                             3
 *     times the inverse, 2.6 u off                                                              7.8
 *     that product, rounded                                                                     3
 * together 16.8. What x and y are off by is divided by at least |Y| (1 - 2^-60), of which the
 * inverse is within the slop. Where the quotient or its products underflow, p.low and the fma are
 * off by up to 2^-1075 each before they are multiplied by the inverse, and q and the correction
 * after it. */
FILTER_INLINE struct approximation filter_quotient_by(struct approximation x,
                                                      struct approximation y, double inverse)
{
    double q = x.high / y.high;
    struct dd p = dd_of_product(q, y.high);
    double rest = ((x.high - p.high) - p.low) + fma(-q, y.low, x.low);
    struct dd quotient = dd_of_fast_sum(q, rest * inverse);
    double size = fabs(quotient.high);
    double share = (x.error + size * y.error + FILTER_UNDERFLOW) * fabs(inverse);
    double error = 17 * 0x1p-106 * size + share;
    return approximation_of(quotient, error * FILTER_SLOP + FILTER_UNDERFLOW);
}

/* x a + y b, within 2.5 u^2 of each product and 3.0001 u^2 of both in the sum, and x and y by their
 * own errors. */
FILTER_INLINE struct approximation filter_turned(struct approximation x, double a,
                                                 struct approximation y, double b)
{
    struct dd sum = dd_sum_loose(dd_product_double(approximation_center(x), a),
                                 dd_product_double(approximation_center(y), b));
    double error = 5.5002 * 0x1p-106 * (fabs(x.high * a) + fabs(y.high * b)) +
                   (x.error * fabs(a) + y.error * fabs(b));
    return approximation_of(sum, error * FILTER_SLOP + FILTER_UNDERFLOW);
}

/* A direction near that of a point above the first axis */
struct filter_direction {
    double x, y;
    struct dd quarters; /* its angle is quarters + arctangent, each within u^2 of itself */
    struct dd arctangent;
};

/* Of slope c = k/256, |c| <= 1, against the nearest half axis, for y >= 0: from the second axis on,
 * c is near -x / y. Returns false where there is no slope, as of 0 and of NaN. */
FILTER_INLINE bool filter_find_direction(double x, double y, struct filter_direction *direction)
{
    bool steep = y > fabs(x);
    double slope = (steep ? -x : y) / (steep ? y : x);
    if (!(fabs(slope) <= 1)) {
        return false;
    }
    double k = slope * FILTER_SLOPES + 0x1.8p52 - 0x1.8p52;
    double c = k * (1.0 / FILTER_SLOPES), side = x < 0 ? -1 : 1;
    double quarters = steep ? 0.5 : x < 0 ? 1 : 0;
    struct dd arctangent = filter_arctangents[(int)fabs(k)];
    double sign = k < 0 ? -1 : 1;
    direction->x = steep ? -c : side;
    direction->y = steep ? 1 : side * c;
    direction->quarters = dd_scaled(FILTER_PI, quarters);
    direction->arctangent = dd_scaled(arctangent, sign);
    return true;
}

/* The angle A of the point (x, y), where y > 0; returns false where it is not known well, or `near`
 * is not near it.
 *
 * Let (X, Y) be that direction, of an angle G in [0, pi], and R and Q the distances of both from 0:
 *     across = y X - x Y = R Q sin(A - G)
 *     along  = x X + y Y = R Q cos(A - G)
 * so that A = G + e, tan e = across / along. As A is in [0, pi] and cos e > 0, e is the arctangent
 * itself and no multiple of pi off. X and Y are 1 or -1 and a multiple of 1/256, G is a sum of
 * entries of the tables, and tan e small (P.-T. P. Tang: Table-lookup algorithms for elementary
 * functions and their error analysis. ARITH 10, 1991). In units of u^2:
 *     G: quarters and arctangent 1.0001 each, and 3.0001 of both in their sum (exact if both are 0)
 *     the arctangent of the quotient as it is: 3.5 |e|; it changes by no more than the quotient
 *     the last addition: 3.0001 (|G| + |e|), and |e| is at most |quotient| (1 + u). G is 0 or at
 *         least arctan(1/256) = 0.003906, 1.98 times what |e| may be: filter_ordered_sum's case.
 * 1 / along.high is within 2.1 u of 1 / along, as filter_quotient_by has it. */
FILTER_INLINE bool filter_angle(struct approximation y, struct approximation x,
                                const struct filter_direction *near, struct approximation *angle)
{
    struct approximation across = filter_turned(y, near->x, x, -near->y);
    struct approximation along = filter_turned(x, near->x, y, near->y);
    struct approximation tangent = filter_quotient_by(across, along, 1 / along.high);
    if (!(y.error <= 0x1p-60 * y.high && along.high >= 0x1p-900 &&
          along.error <= 0x1p-60 * along.high && fabs(tangent.high) <= FILTER_SLOPE_MAX &&
          tangent.error <= 0x1p-60)) {
        return false;
    }
    struct dd whole = dd_sum_loose(near->quarters, near->arctangent);
    struct dd rest = filter_arctangent_of_rest(approximation_center(tangent));
    double parts = near->quarters.high + fabs(near->arctangent.high);
    double error =
        0x1p-106 * (4.001 * parts + 3.001 * whole.high + 6.51 * fabs(tangent.high)) + tangent.error;
    *angle =
        approximation_of(filter_ordered_sum(whole, rest), error * FILTER_SLOP + FILTER_UNDERFLOW);
    return true;
}

#endif
