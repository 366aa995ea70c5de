package outbound

import "net/netip"

// special are the networks of the registries of IANA for special purposes that are
// neither private, loopback, link-local nor multicast by the methods of [netip.Addr], and
// that no public server is in.
// https://www.iana.org/assignments/iana-ipv4-special-registry
// https://www.iana.org/assignments/iana-ipv6-special-registry
var special = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "240.0.0.0/4",
	"::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16", "fec0::/10",
)

// carrying are networks whose addresses hold one of IPv4, by the byte at which it begins:
// a gateway passes packets on to that (NAT64, RFC 6052; 6to4, RFC 3056).
var carrying = map[netip.Prefix]int{netip.MustParsePrefix("64:ff9b::/96"): 12, netip.MustParsePrefix("2002::/16"): 2}

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// public reports whether the address is one of the public Internet.
func public(ip netip.Addr) bool {
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	for _, network := range special {
		if network.Contains(ip) {
			return false
		}
	}
	for network, at := range carrying {
		if network.Contains(ip) {
			whole := ip.As16()
			return public(netip.AddrFrom4([4]byte(whole[at : at+4])))
		}
	}
	return true
}
