package app

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/manifest"
	"github.com/entwine-go/entwine/kit/presence"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/builtin"
	"github.com/entwine-go/entwine/kit/rest/crud"
	"github.com/entwine-go/entwine/kit/rest/failure"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/rest/signin"
	"github.com/entwine-go/entwine/kit/web"
	"github.com/entwine-go/entwine/kit/write"
)

// REST has the dependencies of a service's resource API. A process that serves makes
// it; tests of an API without a process make it themselves. Log, Engine, Versions and
// Keeper are required.
type REST struct {
	Log      *slog.Logger
	Engine   *write.Engine
	Versions *apiversion.Versions
	// Accounts sign users up, in and out, and Jobs has the files that jobs have made.
	Accounts *account.Accounts
	Jobs     *jobs.Client
	// Files keeps the files of fields. Nil: none are taken.
	Files *files.Keeper
	// Callers says of callers of long lists whether they still have their rights. Nil:
	// they have.
	Callers handler.Callers
	// Lists are the live lists, and Streams serves them. Nil: there are none.
	Lists   *live.Lists
	Streams *Streams
	// Rooms have the viewers of rows (presence). Nil: that is not shown.
	Rooms *presence.Rooms
	// Keeper keeps the answers to requests with an Idempotency-Key. KeyRequired lists the
	// operations that demand the header, by their operationId.
	Keeper      *idempotency.Keeper
	KeyRequired []string
	// Lifecycle and Usage are those of [rest.Service].
	Lifecycle *lifecycle.Plan
	Usage     rest.Usage
	// SecureCookies sets the attribute Secure on every cookie.
	SecureCookies bool
}

// Handler returns the API of the generated operations and of the service's own
// parts. The error names operations of the service's own that nothing answers.
func (r REST) Handler(g Generated, parts *Parts) (http.Handler, error) {
	entities := &handler.Door{Reader: r.Engine.Reader, Callers: r.Callers, Lists: r.Lists, Rooms: r.Rooms}
	if r.Streams != nil {
		entities.Streams = streams{r.Streams}
	}
	follows := &crud.API{Log: r.Log, Door: entities, Engine: r.Engine, Operations: g.Tables.Operations, Jobs: g.Tables.Jobs}
	guards, answers := follows.Guards(), follows.Handlers()
	bundled := builtin.New(r.Log, r.Engine.DB, entities, g.Entities, g.Tables.Jobs, r.Jobs)
	bundled.Manifests = &manifest.Texts{Source: manifest.Source{Text: g.Manifest, Entities: g.Entities, Versions: r.Versions.Names()}, Now: time.Now}
	bundled.Files, bundled.Resources = r.Files, g.Tables.Resources
	maps.Copy(guards, bundled.Guards())
	maps.Copy(answers, bundled.Handlers())
	if g.Accounts != nil {
		maps.Copy(guards, signin.Guards())
		maps.Copy(answers, r.signIn(g, entities).Handlers())
	}
	maps.Copy(guards, parts.Guards)
	for id, media := range parts.Representations {
		answers[id] = represented(answers[id], media)
	}
	own, server := g.own(answers), parts.Operations
	if server == nil {
		server = g.Tables.Server
	}
	if server == nil {
		return nil, fmt.Errorf("%s: in rest/*.yaml, and nothing answers: Open of the service has to return Parts with Operations: service.Operations(…)", strings.Join(own, ", "))
	}
	keys := follows.Keys()
	api := rest.New(rest.Service{
		Log:         r.Log,
		Name:        g.Schema.Name,
		Prefix:      expose.Prefix,
		Versions:    r.Versions,
		Credentials: g.Schema.Credentials.Path,
		Webhook:     g.Schema.Webhook,
		Lifecycle:   r.Lifecycle,
		Usage:       r.Usage,
		Published:   apiversion.Published{Number: g.Schema.Version, Document: g.Document(), Marks: g.Marks},
		Operations:  g.Operations,
		NewServer:   server,
		Answers:     answers,
		Options:     bundled.Options(),
		Choices:     bundled.Choices(),
		Problem:     parts.Problem,
		Guards:      guards,
		Keys: rest.Keys{
			Keeper:    r.Keeper,
			Required:  r.KeyRequired,
			Split:     keys.Split,
			Found:     keys.Found,
			Bodies:    append(keys.Bodies, own...),
			Again:     keys.Again,
			Resources: g.Tables.Resources,
			Door:      entities,
		},
	})
	if g.Schema.Webhook != "" && !parts.Webhook {
		return withoutWebhook(g.Schema, api, failure.New(g.Schema.Name, r.Versions)), nil
	}
	return api, nil
}

// Streams are the connections that stay open, of both APIs: their limits for callers are
// shared.
type Streams = graph.Streams

// streams serves event streams of REST beside those of GraphQL.
type streams struct{ of *graph.Streams }

// ServeFeed implements [handler.Streams].
func (s streams) ServeFeed(w http.ResponseWriter, r *http.Request, open func(context.Context) (handler.Feed, error)) error {
	return s.of.ServeFeed(w, r, func(ctx context.Context) (graph.Feed, error) { return open(ctx) })
}

// signIn answers the operations of accounts.
func (r REST) signIn(g Generated, d *handler.Door) *signin.API {
	i := slices.IndexFunc(g.Tables.Resources, func(r *handler.Resource) bool { return r.Entity == g.Accounts.Users.Entity })
	return &signin.API{Log: r.Log, Accounts: r.Accounts, Door: d, Users: g.Tables.Resources[i], SecureCookies: r.SecureCookies}
}

// represented answers by the media type that is asked for, where the service has one
// of its own beside what the kit answers with.
func represented(answer handler.Handler, media map[string]handler.Handler) handler.Handler {
	return func(ctx context.Context, w http.ResponseWriter) error {
		if own := media[handler.From(ctx).Media]; own != nil {
			return own(ctx, w)
		}
		return answer(ctx, w)
	}
}

// withoutWebhook is the API where nothing is sent to the webhook: there is nothing at
// its path, by any method.
func withoutWebhook(about expose.Service, api http.Handler, errors *failure.Writer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if web.IsWebhook(about, r.URL.Path) {
			errors.Write(w, r, problem.New(problem.NotFound, "there is nothing at this path"))
			return
		}
		api.ServeHTTP(w, r)
	})
}

// own are the operations that the kit does not answer.
func (g *Generated) own(answers map[string]handler.Handler) (ids []string) {
	for id := range g.Operations {
		if answers[id] == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
