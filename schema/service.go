package schema

import "github.com/entwine-go/entwine/kit/expose"

// Service says what is true of the service as a whole.
func Service() expose.Service {
	return expose.Service{
		Name: "entwine",
		// The minor and patch numbers move with what is added and mended.
		Version:     "1.0.0",
		License:     "MIT",
		Examples:    "User",
		Credentials: expose.AccountCredentials(),
		Webhook:     "/payments/webhook",
	}
}
