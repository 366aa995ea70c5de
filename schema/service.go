package schema

import "github.com/entwine-go/entwine/kit/expose"

// Service says what is true of the service as a whole.
func Service() expose.Service {
	return expose.Service{
		Name: "entwine",
		// The minor and patch numbers move with what is added and mended.
		Version:  "1.0.0",
		License:  "MIT",
		Examples: "User",
		Credentials: expose.Credentials{
			Path: "/auth/",
			Entrances: []string{
				"register", "login", "logout", "refresh", "forgot-password", "reset-password",
				"verify-email", "resend-verification", "take-back-email", "idp", "idp/callback", "idp/exchange",
			},
			Plain: []string{"forgot-password"},
		},
		Webhook: "/payments/webhook",
	}
}
