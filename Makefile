# SPDX-License-Identifier: Apache-2.0
# For those who type make: each target is one command, and the build itself is meson's.
.PHONY: all check check-all truth bench install clean

all:
	@./tools/build

check:
	@./tools/check

check-all:
	@./tools/check --all

truth:
	@./tools/check --truth

bench: all
	@./tools/need bench
	@./bench/run

install: all
	@meson install -C build

clean:
	@rm -rf build build-*
