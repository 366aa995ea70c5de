package main

import (
	"strings"

	"github.com/entwine-go/entwine/ent/profile"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/viewer"
)

// picture is what begins as a PNG does, which says what it is.
const picture = "\x89PNG\r\n\x1a\nof the owner"

// keep gives the owner's profile a picture.
func (l *land) keep(folder string) {
	engine, owner := rows.Engine(l.db), l.people["owner"].ID
	k := &files.Keeper{DB: l.db, Store: &files.Folder{Path: folder}, Reader: engine.Reader, Engine: engine, Targets: files.Targets(entity.All)}
	target, _ := k.Target("profile.avatar")
	ctx := viewer.With(l.system, &viewer.Viewer{UserID: int64(owner), Role: "user"})
	f, err := k.Take(ctx, files.Upload{Target: target, Name: "owner.png", Body: strings.NewReader(picture)})
	l.must(err)
	l.must(l.ent.Profile.Update().Where(profile.UserID(owner)).SetAvatar(f.Address).Exec(l.system))
	l.rows["files"] = f.Key()
}
