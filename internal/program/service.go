// Package program is the service of this repository as a value: the parts that are
// generated from schema/, its own Go code around them, and the commands that only this
// service has, one file for each group. cmd/entwine runs it; tests have it serve in
// their own process. The commands and doors that every service has are package app's.
package program

import (
	"context"
	"strings"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/gql"
	"github.com/entwine-go/entwine/internal/activities"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/invoicing"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/internal/reporting"
	generated "github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/migrate"
	"github.com/entwine-go/entwine/rest"
	"github.com/entwine-go/entwine/worker"
)

// Service returns the service, with the version and the revision of the program that has it.
func Service(version, revision string) *app.Service {
	return &app.Service{
		Name:    "entwine",
		About:   "entwine is a backend made from one schema: REST and GraphQL over PostgreSQL or SQLite.",
		Version: version, Revision: revision, Payments: true,
		Generated: generated.Generated(migrate.Files),
		Open:      open,
		Commands:  commands(),
		Try: `
Open it in a browser, or try:
  curl -s URL/api/v1/auth/register --json '{"name":"Ada Lovelace","email":"ada@example.com","password":"correct horse 1"}'
  curl -s URL/api/v1/posts
  curl -s URL/graphql --json '{"query":"{ posts { title author { name } } }"}'
entwine seed fills it with something to look at.`,
		Requests: app.Requests{
			REST: `curl -s URL/api/v1/users -H "Authorization: Bearer $TOKEN"
curl -s URL/api/v1/posts -H "Authorization: Bearer $TOKEN" \
  --json '{"title":"Hello","content":"The first one.","published":true}'
curl -s 'URL/api/v1/posts?sort=-created_at&fields=id,title&expand=author'`,
			GraphQL: `curl -s URL/graphql \
  --json '{"query":"{ posts { id title author { name } } }"}'`,
		},
	}
}

// commands are those that not every service has.
func commands() []app.Command {
	return []app.Command{
		seedCommand(),
	}
}

// open puts the activities together.
func open(h *app.Host) (*app.Parts, error) {
	cashier := cashierOf(h)
	reporter := &reporting.Reporter{DB: h.DB, Jobs: h.Jobs}
	set := activities.Set{Keyring: h.Accounts.Keyring, Cashier: cashier, Jobs: h.Jobs, Reporter: reporter, Postman: &mailing.Postman{Jobs: h.Jobs, Files: h.Files}}
	parts := &app.Parts{
		Methods: activities.Methods(h.DB, set),
		Around:  activities.Around(h.DB, nil),
		Judges:  activities.Judges(set),
		Crowds:  checkout.Crowds(),
		Asked:   checkout.Asked(cashier),
		Kinds: worker.Kinds(worker.Deps{
			DB: h.DB, Mail: h.Mail, Redact: h.Config.Env == config.Production || h.Config.Mail.URL != "",
			Cashier: cashier, Files: h.Files, Invoice: (&invoicing.Printer{DB: h.DB}).Attachment, Log: h.Log,
		}),
		Schedule: worker.Schedule(cashier),
		Rests:    worker.Rests(),
		Start: func(ctx context.Context) error {
			tellStates(ctx, h, &h.Config.Lifecycle)
			return nil
		},
	}
	gql.Register(parts, gql.Config{DB: h.DB, Cashier: cashier})
	rest.Register(parts, rest.Config{DB: h.DB, Cashier: cashier, Files: h.Files, Callers: h.Accounts.Verifier, Webhook: payments.Webhook{Secret: h.Config.PaymentWebhookSecret}})
	return parts, nil
}

// tellStates logs where the versions of REST stand that something is planned for.
func tellStates(ctx context.Context, h *app.Host, plan *lifecycle.Plan) {
	at := plan.At()
	for _, v := range plan.Versions {
		h.Log.InfoContext(ctx, "version of the API", "api_version", "v"+v.Major, "state", v.State(at), "rate_limit_percent", v.Share(at), "deprecated", v.Deprecated, "sunset", v.Sunset)
	}
}

// cashierOf returns what takes the money.
func cashierOf(h *app.Host) *checkout.Cashier {
	sandbox := &payments.Sandbox{DB: h.DB}
	client := orm.Client(h.DB)
	cashier := &checkout.Cashier{
		DB: h.DB, Ent: client, Gateway: sandbox, Jobs: h.Jobs, Log: h.Log, Settle: h.Config.Settle,
		Invoices: &invoicing.Issuer{DB: h.DB, Seller: seller(h)},
	}
	sandbox.Notify = func(ctx context.Context, key string) {
		if err := cashier.Hear(ctx, key); err != nil {
			h.Log.WarnContext(ctx, "news of a payment could not be used: the answer will come", "key", key, "err", err)
		}
	}
	return cashier
}

// seller is the seller on invoices.
func seller(h *app.Host) invoicing.Seller {
	c := h.Config.Seller
	s := invoicing.Seller{Name: c.Name, TaxID: c.TaxID, Email: c.Email}
	for line := range strings.SplitSeq(c.Address, ";") {
		if line = strings.TrimSpace(line); line != "" {
			s.Address = append(s.Address, line)
		}
	}
	return s
}
