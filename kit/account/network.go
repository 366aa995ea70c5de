package account

import "net/netip"

// network is where attempts come from, and what failures are counted for.
type network struct {
	name string // an address of IPv4, a /64 of IPv6, or what stands for neither
	site string // the /48 of IPv6
	real bool
}

// networkOf returns the network of an address: a subscriber has a /64 of IPv6,
// and often a /48.
func networkOf(address string) network {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return network{name: address}
	}
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return network{name: a.String(), real: true}
	}
	return network{name: netip.PrefixFrom(a, 64).Masked().String(), site: netip.PrefixFrom(a, 48).Masked().String(), real: true}
}

// Names in the place of a network: those for asking for mail, which is counted for an
// account from wherever, and the beginning of the names of devices.
const (
	anyAddress      = "reset"
	anyVerification = "verification"
	deviceName      = "device "
)

// network is the key that counts an attempt at an account: the device, where the
// account knows it, else the network.
func (t *Throttle) network(email string, from Origin) network {
	if id := t.Vault.knownDevice(from.Device, email, t.now()); id != "" {
		return network{name: deviceName + id}
	}
	return networkOf(from.Address)
}
