package app

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/entwine-go/entwine/kit/store"
)

// onPostgres reports where the database is, without opening it.
func (p *Process) onPostgres() bool { return strings.HasPrefix(p.Config.Database.URL, "postgres") }

// pgDump is the command that copies the database, but for its password.
func pgDump(from string) string {
	where, name := pgPlace(from)
	return "pg_dump --format=custom --no-owner --file=entwine.dump" + where + " " + shellQuoted(name)
}

// pgRestore is the command that brings back what [pgDump] wrote.
func pgRestore(from string) string {
	where, name := pgPlace(from)
	return "pg_restore --clean --if-exists --no-owner --single-transaction" + where + " --dbname=" + shellQuoted(name) + " entwine.dump"
}

// pgPlace is [pgFlags] for a shell.
func pgPlace(from string) (flags, name string) {
	all, name := pgFlags(from)
	for _, flag := range all {
		flag, value, _ := strings.Cut(flag, "=")
		flags += " " + flag + "=" + shellQuoted(value)
	}
	return flags, name
}

// pgFlags says where a database is in the flags of PostgreSQL's programs. They
// know others of a URL's parameters than the driver, so they get none.
func pgFlags(from string) (flags []string, name string) {
	u, err := url.Parse(store.HostsURL(from))
	if err != nil {
		return nil, "DATABASE"
	}
	q := u.Query()
	add := func(flag, value string) {
		if value != "" {
			flags = append(flags, "--"+flag+"="+value)
		}
	}
	add("host", cmp.Or(q.Get("host"), u.Hostname()))
	add("port", cmp.Or(q.Get("port"), u.Port()))
	add("username", cmp.Or(q.Get("user"), u.User.Username()))
	return flags, cmp.Or(q.Get("dbname"), strings.TrimPrefix(u.Path, "/"), u.User.Username())
}

// shellQuoted is the text as one word of a shell's.
func shellQuoted(text string) string {
	special := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_-./:@", r)
	}
	if text != "" && !strings.ContainsFunc(text, special) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
