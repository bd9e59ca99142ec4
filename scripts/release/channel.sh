#!/usr/bin/env bash
# Prints the channel of a version as of now: `next` for a pre-release, `latest` for the highest version that was released, and
# `release-1.2` for 1.2.4 after 1.3.0, a repair: npm takes no tag that could be a range of versions, as `v1.2` could. Each job asks
# anew, since one that is run again may be late. Fails where the tags cannot be read: no answer is no `latest`.
set -euo pipefail
version=$1
case $version in *-*) echo next && exit ;; esac
highest=$(git ls-remote --tags --refs origin 'v*.*.*' | sed 's|.*refs/tags/||' | grep -v -- - | sort -V | tail -n 1)
if [ "$highest" = "v$version" ]; then echo latest; else echo "release-${version%.*}"; fi
