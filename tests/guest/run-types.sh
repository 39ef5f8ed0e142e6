# SPDX-License-Identifier: GPL-2.0-or-later
# guest-modules: openvswitch
# C's types in scripts on a kernel whose BTF cannot be mapped, and those of a module.
modprobe openvswitch
run "$SONDE" run -q -e 'BEGIN { printf("%s %d\n", curtask->comm, curtask->pid == tid); $t = *curtask; print($t.comm); print((enum pid_type)1); $x = (uint8[8])0x0102030405060708; $i = 3; print($x[$i]); exit() }'; ok
has '^sonde 1$'; has '^sonde$'; has '^PIDTYPE_TGID$'; has '^5$'
run "$SONDE" run -q -e 'BEGIN { print(sizeof(struct vport) > 64); print(offsetof(struct vport, dp)); exit() }'; ok; has '^1$'; has '^8$'
run "$SONDE" run -e 'BEGIN { $p = (struct vport *)1; print($p->nope); }'; exits 255; err_has "struct vport has no member 'nope'"; err_has '^hint: struct vport has: dev, '
# parameters of kernel functions: a pointer into the program is read there, though BTF does not say that it is one; members of structs
echo there >"$T/file"
run "$SONDE" run -q -c "head -n 1 $T/file" -e 'kprobe:do_sys_openat2 /comm == "head"/ { printf("by name: %s\n", str(args.filename)); } fentry:vfs_read /comm == "head"/ { printf("file: %s %d\n", str(args.file->f_path.dentry->d_name.name), args.file->f_inode->i_size) } kretprobe:do_filp_open /comm == "head"/ { printf("opened: %s\n", str(retval->f_path.dentry->d_iname)) }'; ok
has "^by name: $T/file$"; has '^file: file 6$'; has '^opened: file$'
