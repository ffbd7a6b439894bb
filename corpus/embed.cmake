# cmake -D OUTPUT=FILE.c -D "FILES=A.csv;B.csv" -P embed.cmake
# Writes a C file with the files' bytes, as stored.h declares them.
set(arrays "")
set(entries "")
set(count 0)
foreach(file ${FILES})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char file_${count}[] = {\n${bytes}};\n")
    string(APPEND entries "    {\"${name}\", file_${count}, sizeof file_${count}},\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE "${OUTPUT}" "#include \"stored.h\"\n\n${arrays}
const struct stored_file stored_files[] = {\n${entries}};
const size_t stored_file_count = ${count};\n")
