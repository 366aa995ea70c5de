package account

// Accounts is every agent of this package, put together for the doors.
type Accounts struct {
	Registrar     *Registrar
	Authenticator *Authenticator
	Gate          *Gatekeeper
	Factor        *SecondFactor
	Resetter      *Resetter
	Addresses     *Addresses
	// Federator is nil where no identity provider is configured: it says so.
	Federator *Federator
	Keyring   *Keyring
	Verifier  *Verifier
}
