package advise

import (
	"fmt"
	"testing"
)

func TestUses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`SELECT "t"."id", "t"."name" FROM "users" AS "t" WHERE "t"."deleted_at" IS NULL AND "t"."age" >= $1 ORDER BY "t"."created_at" DESC, "t"."id" LIMIT 21`: "[{users age} {users created_at} {users id}]",
		`SELECT name FROM users WHERE age = $1 AND lower(email) = $2 ORDER BY name`:                                                                            "[{users age} {users email} {users name}]",
		`SELECT (SELECT count(*) FROM "comments" AS "c" WHERE "c"."post_id" = "t"."id") FROM "posts" AS "t"`:                                                   "[{comments post_id} {posts id}]",
		`SELECT 1 FROM "posts" AS "t" WHERE EXISTS (SELECT 1 FROM "users" AS "t" WHERE "t"."role" = 'author') AND "t"."views" > 1`:                             "[{users role} {posts views}]",
		`WITH "few" AS MATERIALIZED (SELECT "t"."id" FROM "posts" AS "t" WHERE "t"."title" LIKE $1) SELECT * FROM "few" AS "f" WHERE "f"."id" = $2`:            "[{posts title} {few id}]",
		`SELECT * FROM (SELECT id FROM posts) AS p WHERE p.id = 1 AND EXTRACT(EPOCH FROM now()) > 0`:                                                           "[]",
		`UPDATE jobs SET status = 'x' WHERE status = $1 AND run_at <= now()`:                                                                                   "[{jobs status} {jobs run_at}]",
		`DELETE FROM sessions WHERE expires_at < $1 RETURNING id`:                                                                                              "[{sessions expires_at}]",
		`INSERT INTO likes (user_id) VALUES ($1) ON CONFLICT (user_id) DO UPDATE SET at = $2`:                                                                  "[{likes user_id}]",
		`SELECT 1 FROM a JOIN b ON b.a_id = a.id, c WHERE c.x IS DISTINCT FROM a.y FOR UPDATE`:                                                                 "[{b a_id} {a id} {a y}]",
		`SELECT x FROM a WHERE a.k = 1 UNION ALL SELECT x FROM b AS a WHERE a.m = 2`:                                                                           "[{a k} {b m}]",
		`SELECT 1 FROM "posts" AS "t" WHERE ("t"."created_at", "t"."id") < ($1, $2) AND "t"."kind" IN ($3, $4)`:                                                "[{posts created_at} {posts id} {posts kind}]",
		``:             "[]",
		`SELECT 'it':`: "[]",
	} {
		if got := fmt.Sprint(uses(text)); got != want {
			t.Errorf("%s:\n%s, want\n%s", text, got, want)
		}
	}
}

func FuzzUses(f *testing.F) {
	f.Add(`SELECT a.b FROM "c" AS a WHERE (a.d, e) < ($1, 'x') UNION SELECT 1`)
	f.Add(`(((`)
	f.Add(`)"`)
	f.Fuzz(func(_ *testing.T, text string) { uses(text) })
}
