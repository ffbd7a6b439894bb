# cmake -D OUTPUT=FILE.c -D ROOT=DIR -P source.cmake
# Writes a C file with one name for what the rooms below the reports are made of, and these: the
# first 16 digits of the SHA-256 of all sources' names and SHA-256.
file(GLOB sources RELATIVE ${ROOT} ${ROOT}/impl/*.[ch] ${ROOT}/oracle/*.[ch] ${ROOT}/oracle/*.def
    ${ROOT}/corpus/*.[ch] ${ROOT}/reports/*.[ch])
list(SORT sources)
set(names "")
foreach(source ${sources})
    file(SHA256 "${ROOT}/${source}" hash)
    string(APPEND names "${source} ${hash}\n")
endforeach()
string(SHA256 hash "${names}")
string(SUBSTRING "${hash}" 0 16 hash)
file(WRITE "${OUTPUT}" "#include \"shard.h\"\n\nconst char shard_source[] = \"${hash}\";\n")
