package main

// statement is one in both dialects, which is the same where SQLite has none.
type statement struct{ postgres, sqlite string }

const (
	userColumns    = `id, name, email, role, age, is_active, followers_count, following_count, created_at, updated_at, version, deleted_at`
	postColumns    = `id, title, content, published, published_at, archived_at, likes_count, shares_count, author_id, category_id, created_at, updated_at, version, deleted_at`
	productColumns = `id, name, description, category, price, currency, stock, in_stock, tags, reviews_count, rating, created_at, updated_at, version, deleted_at`
	visible        = `deleted_at IS NULL AND published AND archived_at IS NULL`
)

var (
	oneUser = statement{postgres: `SELECT ` + userColumns + ` FROM users WHERE id = $1 AND deleted_at IS NULL`}
	// usersOf reads a copy with the index that it wants.
	usersOf   = statement{postgres: `SELECT ` + userColumns + `, (SELECT count(*) FROM floor_users WHERE role = $1 AND deleted_at IS NULL) FROM floor_users WHERE role = $1 AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 20`}
	postsPage = statement{postgres: `SELECT ` + postColumns + ` FROM posts WHERE ` + visible + ` AND (created_at, id) < ($1, $2) ORDER BY created_at DESC, id DESC LIMIT 21`}
	feed      = statement{
		postgres: feedHead + `LEFT JOIN LATERAL (SELECT id, text, author_id, created_at FROM comments WHERE post_id = p.id AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 5) c ON TRUE
			LEFT JOIN users ca ON ca.id = c.author_id` + feedOrder,
		sqlite: feedHead + `LEFT JOIN comments c ON c.id IN (SELECT id FROM comments WHERE post_id = p.id AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 5)
			LEFT JOIN users ca ON ca.id = c.author_id` + feedOrder,
	}
	products = statement{
		postgres: `SELECT ` + productColumns + `, count(*) OVER () FROM products WHERE deleted_at IS NULL AND (name ILIKE $1 OR description ILIKE $1)
			AND price BETWEEN $2 AND $3 AND tags ? $4 ORDER BY created_at DESC, id DESC LIMIT 20`,
		sqlite: `SELECT ` + productColumns + `, count(*) OVER () FROM products WHERE deleted_at IS NULL AND (name LIKE $1 OR description LIKE $1)
			AND price BETWEEN $2 AND $3 AND EXISTS (SELECT 1 FROM json_each(tags) WHERE value = $4) ORDER BY created_at DESC, id DESC LIMIT 20`,
	}
)

const feedOrder = ` ORDER BY p.created_at DESC, p.id DESC, c.created_at DESC, c.id DESC`

const feedHead = `SELECT p.id, p.title, a.id, a.name, c.id, c.text, ca.id, ca.name FROM
	(SELECT id, title, author_id, created_at FROM posts WHERE ` + visible + ` ORDER BY created_at DESC, id DESC LIMIT 20) p
	JOIN users a ON a.id = p.author_id `

// Comments of the floor go to a table without triggers: entwine's has one that
// writes the event.
const (
	commentText = `INSERT INTO floor_comments (text, post_id, author_id, created_at, updated_at, version) VALUES ($1, $2, $3, $4, $4, 1) RETURNING id`
	eventText   = `INSERT INTO floor_events (topic, entity, entity_id, key, payload, created_at) `
	// commentAndEvent is both in one statement, which PostgreSQL alone can.
	commentAndEvent = `WITH comment AS (` + commentText + `), event AS (` + eventText + `SELECT 'comment.created', 'Comment', id, $2, '{}', $4 FROM comment) SELECT id FROM comment`
	// eventOfComment is the second one on SQLite.
	eventOfComment = eventText + `VALUES ('comment.created', 'Comment', $1, $2, '{}', $3)`
)
