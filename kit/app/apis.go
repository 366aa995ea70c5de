package app

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/presence"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
	"github.com/entwine-go/entwine/kit/write"
)

// apis gives the site the APIs that the service has.
func (h *Host) apis(site *web.Site) error {
	g := h.service.Generated
	g.Schema = h.service.about()
	engine, err := h.engine()
	if engine == nil || err != nil || g.Tables == nil {
		return err
	}
	if h.Files != nil {
		h.Files.Engine, h.Files.Reader = engine, engine.Reader
	}
	h.lists = &live.Lists{DB: h.DB, Reader: engine.Reader, Events: h.Events, Callers: h.auth(), Woken: h.changes, Log: h.Log, Time: h.Config.Limit.RequestTime}
	if h.Accounts != nil {
		vault, err := h.vault()
		if err != nil {
			return err
		}
		h.lists.Key = vault.Derive(account.ForPositions)
	}
	h.rooms = &presence.Rooms{Lists: h.lists, Store: h.present, Bus: h.Bus, Limiter: h.Limiter, Entities: g.Entities, Log: h.Log}
	if h.service.Accounts != nil {
		h.rooms.Users = h.service.Accounts.Users.Name
	}
	keeper, secure := &idempotency.Keeper{DB: h.DB, Limits: idempotency.Limits(h.Config.Keys)}, h.Config.Env == config.Production
	if len(g.Tables.Operations) > 0 {
		site.REST, err = REST{
			Log: h.Log, Engine: engine, Versions: h.versions, Accounts: h.Accounts, Jobs: h.Jobs, Files: h.Files, Callers: h.auth(), Lists: h.lists, Rooms: h.rooms, Streams: h.streams, Keeper: keeper, KeyRequired: h.Config.KeyRequired,
			Lifecycle: &h.Config.Lifecycle, Usage: h.Usage, SecureCookies: secure,
		}.Handler(g, h.parts)
		if err != nil {
			return err
		}
	}
	if g.GraphQL == nil {
		return nil
	}
	server, err := GraphQL{Options: h.graphOptions(site), Engine: engine, Accounts: h.Accounts, Files: h.Files, Keeper: keeper, SecureCookies: secure}.Server(g, h.parts)
	if err != nil {
		return err
	}
	site.GraphQL = server
	return nil
}

// changes is woken when a caller may have become another, or none.
func (h *Host) changes(v *viewer.Viewer) (woken <-chan struct{}, stop func()) {
	return h.Bus.Listen(account.Topics(v)...)
}

// engine writes, for both APIs. It is nil where there is nothing to write. The error
// names actions whose methods the service has not given.
func (h *Host) engine() (*write.Engine, error) {
	if h.service.Engine == nil {
		return nil, nil
	}
	e := h.service.Engine(h.DB)
	e.Methods, e.Around, e.Judges, e.Crowds = h.parts.Methods, h.parts.Around, h.parts.Judges, h.parts.Crowds
	if unmet := e.Unmet(); len(unmet) > 0 {
		return nil, fmt.Errorf("%s: done by methods, and there are none: Open of the service has to return Parts with Methods: rows.NewMethods(…)", strings.Join(unmet, ", "))
	}
	if h.parts.Asked != nil {
		e.Reader.Asked = h.parts.Asked
	}
	return e, nil
}

// graphOptions say how GraphQL is served, and give the site the page to explore it with
// and its observers.
func (h *Host) graphOptions(site *web.Site) graph.Options {
	o := graph.Options{
		Logger: h.Log, Events: h.Events, Lists: h.lists, Rooms: h.rooms, Links: h.links(), Streams: h.streams, Auth: h.auth(),
		RequestTime: h.Config.Limit.RequestTime, Connections: h.Config.Limit.Connections, HideSchema: !h.Config.GraphQL.Introspection,
		Documents: h.documents(), TrustedOnly: h.Config.GraphQL.TrustedOnly,
		Lifecycle: &h.Config.Lifecycle, Usage: h.Usage,
	}
	if h.Config.GraphQL.Explorer() {
		o.Explorer, site.Explorer = web.ExplorerPath, h.service.explorer(h.refuse)
	}
	if h.telemetry.On() {
		o.Observer = h.telemetry.Operations()
	}
	return o
}
