package account_test

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/idp"
)

// badges is an identity provider that does not speak OpenID Connect.
type badges struct{ people map[string]idp.Identity }

// AuthURL implements account.IdentityProvider.
func (badges) AuthURL(_ context.Context, state, _, _ string) (string, error) {
	return "https://badges.example.com/begin?state=" + state, nil
}

// Exchange implements account.IdentityProvider.
func (b badges) Exchange(_ context.Context, back idp.Callback, _ string, _ func(string) bool) (*idp.Identity, error) {
	who := b.people[back.Code]
	return &who, nil
}

// An identity provider of one's own says where browsers begin, and who came back.
func ExampleIdentityProvider() {
	var provider account.IdentityProvider = badges{people: map[string]idp.Identity{
		"code-1": {Issuer: "https://badges.example.com", Subject: "ada-1", Name: "Ada Lovelace"},
	}}
	ctx := context.Background()
	begin, err := provider.AuthURL(ctx, "state", "nonce", "verifier")
	fmt.Println(begin, err)
	who, err := provider.Exchange(ctx, idp.Callback{Code: "code-1"}, "verifier", nil)
	fmt.Println(who.Subject, who.Name, err)
	// Output:
	// https://badges.example.com/begin?state=state <nil>
	// ada-1 Ada Lovelace <nil>
}
