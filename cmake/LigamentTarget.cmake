# SPDX-License-Identifier: Apache-2.0
#
# ligament_target(TARGET): the compile options that all of the project's own targets share. None of
# them reaches a consumer.
#
# Floating point: no -ffast-math, and contraction (a*b + c as one FMA) is left at the compiler's
# default. So one binary gives the same bits on every run and every thread count; two compilers, or
# two processors with LIGAMENT_NATIVE, may differ in the last bits.

set(LIGAMENT_WARNINGS
  -Wall
  -Wextra
  -Wpedantic
  -Wshadow
  -Wconversion
  -Wno-sign-conversion                # Clang has it in -Wconversion; indices are signed here
  -Wno-missing-field-initializers     # designated initializers leave out what keeps its default
  -Wnon-virtual-dtor
  -Woverloaded-virtual
  -Wimplicit-fallthrough
  -Wcast-align
  -Wcast-qual
  -Wold-style-cast
  -Wunused
  -Wundef
  -Wformat=2
  -Wdouble-promotion
  -Wextra-semi)
set(LIGAMENT_WARNINGS_GNU
  -Wduplicated-cond
  -Wduplicated-branches
  -Wlogical-op)

# Blocks of 3 and 6 numbers gain nothing from vectors of 8, and GCC 12 warns of its own AVX-512
# intrinsics (GCC bug 105593).
set(LIGAMENT_NATIVE_FLAGS -march=native)
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-mno-avx512f LIGAMENT_HAS_AVX512_FLAG)
if(LIGAMENT_HAS_AVX512_FLAG)
  list(APPEND LIGAMENT_NATIVE_FLAGS -mno-avx512f)
endif()

function(ligament_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE
    ${LIGAMENT_WARNINGS}
    $<$<CXX_COMPILER_ID:GNU>:${LIGAMENT_WARNINGS_GNU}>
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>  # for ccache with precompiled headers
    $<$<BOOL:${LIGAMENT_WERROR}>:-Werror>
    $<$<BOOL:${LIGAMENT_NATIVE}>:${LIGAMENT_NATIVE_FLAGS}>)
endfunction()

# Instrumentation is for the whole tree: all objects of a program need it.
if(LIGAMENT_SANITIZE)
  add_compile_options(-fsanitize=${LIGAMENT_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LIGAMENT_SANITIZE})
endif()
if(LIGAMENT_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
