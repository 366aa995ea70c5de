package account

// Accounts is every agent of this package, put together for the doors.
type Accounts struct {
	Registrar     *Registrar     // who signs up
	Authenticator *Authenticator // signs in by password
	Gate          *Gatekeeper    // begins, continues and ends sign-ins
	Factor        *SecondFactor  // one-time codes
	Resetter      *Resetter      // forgotten passwords
	Addresses     *Addresses     // verification and change of e-mail addresses
	// Federator is nil where no identity provider is configured: it says so.
	Federator *Federator
	Keyring   *Keyring  // API keys
	Verifier  *Verifier // proves the credentials of requests
}
