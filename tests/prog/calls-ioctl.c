// SPDX-License-Identifier: GPL-2.0-or-later
/* ioctl commands of many devices, most of them on a descriptor that refuses them: what the kernel would read is shown
 * all the same. Traced by interop/strace.sh. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/hdreg.h>
#include <linux/input.h>
#include <linux/kd.h>
#include <linux/loop.h>
#include <linux/nsfs.h>
#include <linux/perf_event.h>
#include <linux/random.h>
#include <linux/rtc.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <linux/userfaultfd.h>
#include <linux/watchdog.h>
#include <net/if.h>
#include <arpa/inet.h>
#include <asm/termbits.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int none;

static void terminal(void)
{
	struct termios t = { .c_iflag = IGNBRK | IXON | 0x100000, .c_oflag = OPOST | ONLCR | TAB3 | CR2, .c_cflag = B9600 | CS7 | CREAD | (B1200 << 16),
		.c_lflag = ISIG | ECHO | TOSTOP };
	struct termios2 t2 = { .c_iflag = IXON, .c_oflag = OPOST, .c_cflag = BOTHER | CS8 | CREAD, .c_lflag = ISIG };
	struct termio old = { .c_iflag = ICRNL, .c_oflag = OPOST, .c_cflag = B9600 | CS8 | CREAD, .c_lflag = ICANON };
	struct winsize w = { 24, 80, 0, 0 };
	int pty = open("/dev/ptmx", O_RDWR | O_NOCTTY), n = 0;
	ioctl(pty, TIOCSPTLCK, &n);
	ioctl(pty, TCSETS, &t);
	ioctl(pty, TCGETS, &t);
	ioctl(pty, TCSETS2, &t2);
	ioctl(none, TCSETAW, &old);
	ioctl(pty, TIOCSWINSZ, &w);
	ioctl(pty, TIOCGWINSZ, &w);
	ioctl(pty, TCFLSH, TCIOFLUSH);
	ioctl(pty, TCXONC, TCOON);
	ioctl(pty, TIOCSTI, "x");
	ioctl(pty, FIONREAD, &n);
	ioctl(pty, TIOCEXCL);
	ioctl(pty, FIOCLEX);
	n = TIOCM_RTS | TIOCM_DTR;
	ioctl(none, TIOCMSET, &n);
	ioctl(none, KDSETMODE, KD_GRAPHICS);
	ioctl(none, KDSKBMODE, K_UNICODE);
	ioctl(none, KDSETLED, LED_NUM | LED_CAP);
	close(pty);
}

static void disks(void)
{
	struct loop_info64 info = { .lo_offset = 512, .lo_flags = LO_FLAGS_READ_ONLY | LO_FLAGS_AUTOCLEAR, .lo_file_name = "/some/image" };
	struct loop_config config = { .fd = 5, .block_size = 4096, .info = info };
	struct blkpg_partition p = { .start = 1 << 20, .length = 1 << 21, .pno = 3, .devname = "sdz3" };
	struct blkpg_ioctl_arg part = { .op = BLKPG_ADD_PARTITION, .datalen = sizeof(p), .data = &p };
	uint64_t range[2] = { 4096, 8192 };
	struct fstrim_range trim = { .start = 4096, .len = 1 << 20 };
	struct fsxattr x = { .fsx_xflags = FS_XFLAG_NOATIME, .fsx_projid = 7 };
	struct file_clone_range clone = { .src_fd = 4, .src_length = 100 };
	struct fiemap map = { .fm_length = ~0ull, .fm_flags = FIEMAP_FLAG_SYNC, .fm_extent_count = 0 };
	int n = 512;
	ioctl(none, LOOP_SET_STATUS64, &info);
	ioctl(none, LOOP_CONFIGURE, &config);
	ioctl(none, LOOP_SET_FD, 5);
	ioctl(none, LOOP_CLR_FD);
	ioctl(none, BLKPG, &part);
	ioctl(none, BLKDISCARD, range);
	ioctl(none, BLKRASET, 256ul);
	ioctl(none, BLKROSET, &n);
	ioctl(none, BLKRRPART);
	ioctl(none, BLKGETSIZE64, range);
	ioctl(none, HDIO_GETGEO, NULL);
	ioctl(none, FITRIM, &trim);
	ioctl(none, FIFREEZE);
	ioctl(none, FS_IOC_FSSETXATTR, &x);
	ioctl(none, FICLONERANGE, &clone);
	ioctl(none, FICLONE, 4);
	int file = open(".", O_RDONLY | O_DIRECTORY);
	ioctl(file, FS_IOC_FIEMAP, &map);
	ioctl(file, FS_IOC_GETFLAGS, &n);
	close(file);
}

static void devices(void)
{
	struct rtc_time when = { .tm_min = 30, .tm_hour = 12, .tm_mday = 1, .tm_year = 126 };
	struct rtc_wkalrm alarm = { .enabled = 1, .time = when };
	struct uffdio_register reg = { .range = { 0x1000, 0x2000 }, .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_copy copy = { .dst = 0x1000, .src = 0x2000, .len = 0x3000, .mode = UFFDIO_COPY_MODE_DONTWAKE };
	struct seccomp_notif_resp resp = { .id = 0x123, .error = -1, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
	struct seccomp_notif_addfd add = { .id = 0x123, .flags = SECCOMP_ADDFD_FLAG_SETFD, .srcfd = 1, .newfd = 9, .newfd_flags = O_CLOEXEC };
	uint64_t period = 1000;
	int n = 30;
	ioctl(none, RTC_SET_TIME, &when);
	ioctl(none, RTC_WKALM_SET, &alarm);
	ioctl(none, RTC_AIE_ON);
	ioctl(none, UFFDIO_REGISTER, &reg);
	ioctl(none, UFFDIO_COPY, &copy);
	ioctl(none, SECCOMP_IOCTL_NOTIF_SEND, &resp);
	ioctl(none, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
	ioctl(none, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	ioctl(none, PERF_EVENT_IOC_PERIOD, &period);
	ioctl(none, PERF_EVENT_IOC_SET_OUTPUT, -1);
	ioctl(none, WDIOC_SETTIMEOUT, &n);
	ioctl(none, RNDADDTOENTCNT, &n);
	ioctl(none, NS_GET_USERNS);
	ioctl(none, EVIOCGBIT(EV_KEY, 96), NULL);
	ioctl(none, EVIOCGABS(ABS_X), NULL);
	ioctl(none, EVIOCGNAME(64), NULL);
	int random = open("/dev/urandom", O_RDONLY);
	ioctl(random, RNDGETENTCNT, &n);
	int ns = open("/proc/self/ns/net", O_RDONLY);
	ioctl(ns, NS_GET_NSTYPE);
	close(ns);
	close(random);
}

static void interfaces(void)
{
	struct ifreq r, list[2];
	struct ifconf all = { .ifc_len = sizeof(list), .ifc_req = list };
	int s = socket(AF_INET, SOCK_DGRAM, 0), n;
	static const unsigned get[] = { SIOCGIFFLAGS, SIOCGIFADDR, SIOCGIFNETMASK, SIOCGIFMTU, SIOCGIFHWADDR, SIOCGIFINDEX, SIOCGIFTXQLEN,
		SIOCGIFMAP, SIOCGIFMETRIC };
	for (unsigned i = 0; i < sizeof(get) / sizeof(*get); i++) {
		memset(&r, 0, sizeof(r));
		strcpy(r.ifr_name, "lo");
		ioctl(s, get[i], &r);
	}
	struct sockaddr_in *in = (struct sockaddr_in *)&r.ifr_addr;
	memset(&r, 0, sizeof(r));
	strcpy(r.ifr_name, "sonde-none");
	in->sin_family = AF_INET;
	in->sin_addr.s_addr = htonl(0x7f000001);
	ioctl(s, SIOCSIFADDR, &r);
	r.ifr_flags = IFF_UP | IFF_PROMISC;
	ioctl(s, SIOCSIFFLAGS, &r);
	strcpy(r.ifr_newname, "sonde-new");
	ioctl(s, SIOCSIFNAME, &r);
	ioctl(s, SIOCGIFCONF, &all);
	ioctl(s, SIOCATMARK, &n);
	close(s);
}

int main(void)
{
	none = open("/dev/null", O_RDWR);
	terminal();
	disks();
	devices();
	interfaces();
	return 0;
}
