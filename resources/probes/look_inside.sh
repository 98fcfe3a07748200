# Tells what a WSL distribution holds: its system, the driver's library, and its Python environments by their files.
# Read by sh from its input, in one call (so nothing in it may read that input). Prints one record a line, fields
# parted by tabs; starts no Python, changes nothing, needs no root. Its words are folders of further environments.
#   home PATH        drives PATH       machine NAME      glibc TEXT        done
#   text PATH LINE   a line of a text file               file PATH, folder PATH   what is there, without its content
#   link PATH FILE   where a link leads to
#   variable NAME=VALUE                cache LINE        of the loader's list     space TOTAL FREE   of /, in KiB
export LC_ALL=C
tab=$(printf '\t')
say() { printf '%s' "$1"; shift; for part in "$@"; do printf '%s%s' "$tab" "$part"; done; printf '\n'; }
text() { [ -f "$1" ] && [ -r "$1" ] && head -c 200000 "$1" | while IFS= read -r line || [ -n "$line" ]; do say text "$1" "$line"; done; }
file() { [ -e "$1" ] && say file "$1"; }
link() { [ -L "$1" ] && say link "$1" "$(readlink -f "$1")"; }
folder() { [ -d "$1" ] && say folder "$1"; }

packages() { # of a folder of packages: what tells versions, and NVIDIA's libraries
  [ -d "$1" ] || return
  folder "$1"
  ls -1 "$1" 2>/dev/null | grep -E '\.(dist|egg)-info$' | while IFS= read -r name; do say folder "$1/$name"; done
  for path in "$1"/nvidia/*/lib/*.so*; do file "$path"; done
}
environment() {
  text "$1/pyvenv.cfg"
  for path in "$1/bin/python" "$1/bin/python3"; do file "$path"; done
  for path in "$1/condabin" "$1/envs" "$1/conda-meta"; do folder "$path"; done
  for path in "$1"/conda-meta/*.json; do file "$path"; done
  for path in "$1"/lib/python3.*; do [ -d "$path" ] && folder "$path" && packages "$path/site-packages"; done
}
look() {
  say home "$HOME"
  say machine "$(uname -m)"
  say glibc "$(getconf GNU_LIBC_VERSION 2>/dev/null)"
  drives=$(wslpath 'C:\' 2>/dev/null); drives=${drives%/}
  case $drives in */c) [ -d "$drives" ] && say drives "${drives%c}" ;; esac
  text /etc/os-release
  text /proc/sys/kernel/osrelease
  text /proc/meminfo
  text /proc/self/mounts
  awk '/^$/ { exit } { print }' /proc/cpuinfo 2>/dev/null | while IFS= read -r line; do say text /proc/cpuinfo "$line"; done
  say processors "$(grep -c '^processor' /proc/cpuinfo 2>/dev/null)"
  file /dev/dxg
  for path in /usr/lib/wsl/lib/libcuda.so.1; do file "$path"; done
  df -Pk / 2>/dev/null | awk 'NR == 2 { print "space\t" $2 "\t" $4 }'
  for ldconfig in /sbin/ldconfig /usr/sbin/ldconfig; do
    [ -x "$ldconfig" ] && "$ldconfig" -p 2>/dev/null | grep -E 'lib(cu|nv|nccl|amdhip)' | while IFS= read -r line; do
      say cache "$line"
      link "${line##*=> }"
    done && break
  done
  shell=$(getent passwd "$(id -u)" 2>/dev/null | cut -d: -f7)
  [ -x "$shell" ] || shell=/bin/sh
  limit=; command -v timeout >/dev/null 2>&1 && limit='timeout 5'
  variables=$(GPUCONFIG_RESOLVING_ENVIRONMENT=1 TERM=dumb $limit "$shell" -ilc env 2>/dev/null | grep -E '^[A-Z][A-Z0-9_]*=' | head -n 300)
  printf '%s\n' "$variables" | while IFS= read -r line; do say variable "$line"; done
  printf '%s\n' "$variables" | sed -n 's/^LD_LIBRARY_PATH=//p' | tr ':' '\n' | while IFS= read -r place; do
    [ -n "$place" ] && for path in "$place"/libcu*.so* "$place"/libnv*.so* "$place"/libnccl.so*; do
      file "$path"
      link "$path"
    done
  done
  text "$HOME/.keras/keras.json"

  for path in "$@"; do environment "$path"; done
  {
    find "$HOME" /opt -xdev -maxdepth 6 \( -name node_modules -o -name site-packages -o -name __pycache__ -o -name .git \
      -o -name pkgs \) -prune -o \( -name pyvenv.cfg -o -name conda-meta \) -print 2>/dev/null | sed 's:/[^/]*$::'
    for path in "$HOME"/.pyenv/versions/* "$HOME"/.local/share/uv/python/*; do [ -x "$path/bin/python3" ] && printf '%s\n' "$path"; done
  } | head -n 200 | while IFS= read -r path; do environment "$path"; done
  for path in /usr/bin/python3.* /usr/local/bin/python3.*; do
    case ${path##*/} in *-*|*config) continue ;; esac
    file "$path"
  done
  for path in /usr/lib/python3 /usr/lib/python3.* /usr/local/lib/python3.* /usr/lib64/python3.* "$HOME"/.local/lib/python3.*; do
    packages "$path/dist-packages"; packages "$path/site-packages"
  done
  say done
}
look "$@" </dev/null
