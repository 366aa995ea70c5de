package land

import (
	"strings"

	"github.com/entwine-go/entwine/ent/profile"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Picture is a PNG of one pixel.
const Picture = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82"

// keep gives the owner's profile a picture.
func (l *Land) keep(folder string) {
	engine, owner := rows.Engine(l.DB), l.People["owner"].ID
	k := &files.Keeper{DB: l.DB, Store: &files.Folder{Path: folder}, Reader: engine.Reader, Engine: engine, Targets: files.Targets(entity.All)}
	target, _ := k.Target("profile.avatar")
	ctx := viewer.With(l.System, &viewer.Viewer{UserID: int64(owner), Role: "user"})
	f, err := k.Take(ctx, files.Upload{Target: target, Name: "owner.png", Body: strings.NewReader(Picture)})
	l.Must(err)
	l.Must(l.Ent.Profile.Update().Where(profile.UserID(owner)).SetAvatar(f.Address).Exec(l.System))
	l.Rows["files"] = f.Key()
	p, err := k.Begin(ctx, files.Upload{Target: target, Name: "next.png"}, int64(len(Picture)))
	l.Must(err)
	l.Rows["files@new"] = p.Key
}
