// Package builtin answers the operations of REST that the kit provides beside those of accounts:
// the manifest, search over all entities, changes of rows, files of fields, and results of jobs.
// The generator adds their description to the document of a schema that has fields to search in,
// changes to follow, files, or jobs.
//
// Packages search, events, files and jobs carry them out. This package owns how it is
// asked for and answered; the document has judged parameters by then.
package builtin

import (
	"log/slog"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/manifest"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/search"
	"github.com/entwine-go/entwine/kit/store"
)

// API answers the operations.
type API struct {
	Log *slog.Logger
	// Door reads the job whose result is asked for.
	Door *handler.Door
	// Searcher searches all entities that can be searched.
	Searcher *search.Searcher
	// Feed lists the changes of the entities that are Followed.
	Feed     *events.Feed
	Followed []*entity.Entity
	// Jobs are the resource of jobs, nil where a service shows none. Then Work is
	// not used.
	Jobs *handler.Resource
	Work *jobs.Client
	// Files keeps the files of fields. Nil: no file is there, and none is taken.
	Files    *files.Keeper
	hasFiles bool
	// Resources are the entities as REST serves them: files are cached as the rows that have them.
	Resources []*handler.Resource
	// Manifests describe the service to each kind of caller.
	Manifests *manifest.Texts
}

// New returns the operations over the entities of a service.
func New(log *slog.Logger, db *store.DB, door *handler.Door, entities []*entity.Entity, jobs *handler.Resource, work *jobs.Client) *API {
	return &API{
		Log: log, Door: door, Searcher: search.New(door.Reader, entities), Jobs: jobs, Work: work,
		Feed: &events.Feed{DB: db}, Followed: followed(entities), hasFiles: len(files.Targets(entities)) > 0,
	}
}

// Handlers returns the handlers by operationId. They speak the first version.
func (a *API) Handlers() map[string]handler.Handler {
	all := map[string]handler.Handler{"search": a.search, "listChanges": a.listChanges, "readManifest": a.readManifest}
	if a.Jobs != nil {
		all["readJobResult"] = a.readJobResult
	}
	if a.hasFiles {
		all["uploadFile"], all["downloadFile"] = a.keeping(a.uploadFile), a.keeping(a.downloadFile)
		all["readFileUsage"] = a.keeping(a.readFileUsage)
		all["removeFile"], all["linkFile"] = a.keeping(a.removeFile), a.keeping(a.linkFile)
		all["readUpload"], all["continueUpload"], all["endUpload"] = a.keeping(a.readUpload), a.keeping(a.continueUpload), a.keeping(a.endUpload)
		all["requestUpload"], all["readUploadParts"], all["completeUpload"] = a.keeping(a.requestUpload), a.keeping(a.readUploadParts), a.keeping(a.completeUpload)
	}
	all["readPresence"], all["sayPresence"] = a.Door.ReadPresence, a.Door.SayPresence
	return all
}

// Guards are the operations' conditions on the caller, which are checked before the
// input. The manifest, search and changes are open to every caller, and show the parts
// that the caller can read.
func (a *API) Guards() map[string]handler.Guard {
	all := map[string]handler.Guard{}
	if a.Jobs != nil {
		all["readJobResult"] = handler.Guard{Entity: a.Jobs.Entity}
	}
	if a.hasFiles {
		known := policy.Authenticated()
		for _, id := range []string{"uploadFile", "readFileUsage", "removeFile", "linkFile", "readUpload", "continueUpload", "endUpload", "requestUpload", "readUploadParts", "completeUpload"} {
			all[id] = handler.Guard{Rule: &known}
		}
	}
	return all
}
