package main

import (
	"strings"

	"github.com/entwine-go/entwine/ent/profile"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/viewer"
)

// picture is a PNG of one pixel.
const picture = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82"

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
	p, err := k.Begin(ctx, files.Upload{Target: target, Name: "next.png"}, int64(len(picture)))
	l.must(err)
	l.rows["files@new"] = p.Key
}
