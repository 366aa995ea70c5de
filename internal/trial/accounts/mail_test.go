package accounts_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestAPasswordIsResetThroughAMailServer(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"smtp", "starttls", "smtps"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			server := trial.ServeMail(t, mode, "secret")
			s := trial.Start(t, server.Settings()...)
			s.SignUp(t)
			s.Ask(t, "POST", "/api/v1/auth/forgot-password", `{"email":"ada@example.com"}`).Want(t, 200)
			reset := `{"token":"` + server.ResetToken(t) + `","newPassword":"battery staple 2"}`
			s.Ask(t, "POST", "/api/v1/auth/reset-password", reset).Want(t, 200)
			s.Ask(t, "POST", "/api/v1/auth/login", `{"email":"ada@example.com","password":"battery staple 2"}`).Want(t, 200)
			s.Ask(t, "POST", "/api/v1/auth/login", trial.AdaLogin).Want(t, 401)
		})
	}
}
