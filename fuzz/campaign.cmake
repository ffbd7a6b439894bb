# The overnight campaign: the program `overnight`, and for each target a build that counts what of
# the library its corpus reaches.
file(GLOB campaign_sources CONFIGURE_DEPENDS campaign/*.c)
add_executable(overnight overnight.c ${campaign_sources})
target_compile_definitions(overnight PRIVATE _GNU_SOURCE)
target_link_libraries(overnight PRIVATE truelerp_reports truelerp_fuzz truelerp_flags m)

# The tools must be of the compiler's release, which Debian keeps beside it.
get_filename_component(compiler_folder "${CMAKE_C_COMPILER}" REALPATH)
get_filename_component(compiler_folder "${compiler_folder}" DIRECTORY)
find_program(LLVM_COV llvm-cov HINTS ${compiler_folder})
find_program(LLVM_PROFDATA llvm-profdata HINTS ${compiler_folder})
foreach(tool LLVM_COV LLVM_PROFDATA)
    target_compile_definitions(overnight PRIVATE "${tool}=\"$<IF:$<BOOL:${${tool}}>,${${tool}},>\"")
endforeach()

set(coverage_targets)
if(TRUELERP_FUZZ AND NOT LIB_FUZZING_ENGINE)
    # The library's objects once more, with counters in place of sanitizers. They come before the
    # instrumented library, which then has nothing left to add.
    foreach(variant truelerp truelerp_baseline truelerp_fma)
        if(TARGET ${variant})
            get_target_property(sources ${variant} SOURCES)
            list(FILTER sources EXCLUDE REGEX "TARGET_OBJECTS")
            list(TRANSFORM sources REPLACE "^([^/].*)$" "${PROJECT_SOURCE_DIR}/impl/\\1")
            get_target_property(options ${variant} COMPILE_OPTIONS)
            list(FILTER options EXCLUDE REGEX "sanitize")
            get_target_property(definitions ${variant} COMPILE_DEFINITIONS)
            add_library(coverage_${variant} OBJECT ${sources})
            set_target_properties(coverage_${variant} PROPERTIES C_VISIBILITY_PRESET hidden)
            target_compile_options(coverage_${variant} PRIVATE ${options} -fprofile-instr-generate
                -fcoverage-mapping)
            if(definitions)
                target_compile_definitions(coverage_${variant} PRIVATE ${definitions})
            endif()
            list(APPEND coverage_objects $<TARGET_OBJECTS:coverage_${variant}>)
        endif()
    endforeach()
    foreach(function ${functions})
        get_target_property(definitions fuzz_${function}_replay COMPILE_DEFINITIONS)
        get_target_property(libraries fuzz_${function}_replay LINK_LIBRARIES)
        add_executable(fuzz_${function}_coverage target.c replay.c ${coverage_objects})
        target_compile_definitions(fuzz_${function}_coverage PRIVATE ${definitions})
        target_link_libraries(fuzz_${function}_coverage PRIVATE ${libraries})
        target_link_options(fuzz_${function}_coverage PRIVATE -fprofile-instr-generate)
        list(APPEND coverage_targets fuzz_${function}_coverage)
    endforeach()
endif()
# The replay drivers tell of the cases at which their targets crashed.
list(TRANSFORM functions PREPEND fuzz_ OUTPUT_VARIABLE replay_targets)
list(TRANSFORM replay_targets APPEND _replay)
# What fuzz/run builds.
add_custom_target(campaign DEPENDS overnight truelerp_program ${fuzz_targets} ${replay_targets}
    ${coverage_targets})
if(TARGET seeds)
    add_dependencies(campaign seeds)
endif()
