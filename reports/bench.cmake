# truelerp-bench, beside truelerp: needs a C++ compiler and Google Benchmark (libbenchmark-dev), for
# one of the peers GLM (libglm-dev). Without the first two there is no such program.
include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
    message(STATUS "truelerp bench: not built, no C++ compiler found")
    return()
endif()
enable_language(CXX)
find_package(benchmark QUIET)
if(NOT benchmark_FOUND)
    message(STATUS "truelerp bench: not built, Google Benchmark (libbenchmark-dev) not found")
    return()
endif()
find_path(GLM_INCLUDE_DIRECTORY glm/gtx/rotate_vector.hpp)

add_library(truelerp_bench_flags INTERFACE)
target_compile_features(truelerp_bench_flags INTERFACE cxx_std_17)
target_compile_options(truelerp_bench_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow)

# Optimised whatever the build type: see peers/peers.h.
set(peer_options -O2 -ffp-contract=off -falign-functions=64)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND peer_options -mavx2 -mfma)
    # Called on every processor, as the others are not.
    set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/peers/empty.c PROPERTIES
        COMPILE_OPTIONS -mno-avx)
endif()
file(GLOB peers CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/peers/*.c)
if(GLM_INCLUDE_DIRECTORY)
    list(APPEND peers ${CMAKE_CURRENT_LIST_DIR}/peers/glm_slerp3.cc)
else()
    message(STATUS "truelerp bench: GLM (libglm-dev) not found, slerp3 has no peer")
endif()
add_library(truelerp_peers OBJECT ${peers})
target_compile_options(truelerp_peers PRIVATE ${peer_options})
target_link_libraries(truelerp_peers PRIVATE truelerp_bench_flags)
if(GLM_INCLUDE_DIRECTORY)
    target_include_directories(truelerp_peers SYSTEM PRIVATE ${GLM_INCLUDE_DIRECTORY})
endif()

add_executable(truelerp_bench bench.cc bench_rows.cc bench_print.cc $<TARGET_OBJECTS:truelerp_peers>)
set_target_properties(truelerp_bench truelerp_peers PROPERTIES CXX_EXTENSIONS OFF
    INTERPROCEDURAL_OPTIMIZATION OFF)
set_target_properties(truelerp_bench PROPERTIES OUTPUT_NAME truelerp-bench)
set_source_files_properties(bench_print.cc PROPERTIES COMPILE_DEFINITIONS
    "COMPILER=\"${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}\";BUILD_TYPE=\"$<CONFIG>\"")
target_include_directories(truelerp_bench SYSTEM PRIVATE ${JSON_C_INCLUDE_DIR})
target_link_libraries(truelerp_bench PRIVATE truelerp_bench_flags truelerp_corpus truelerp_oracle
    truelerp benchmark::benchmark ${JSON_C_LIBRARY} m)
install(TARGETS truelerp_bench COMPONENT tools)
