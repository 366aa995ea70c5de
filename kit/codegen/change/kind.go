package change

import "strings"

// Kind is a kind of change, with its worst effects: those where everything is
// declared that it can affect. The effects of a change are these or lesser ones.
type Kind struct {
	Number int
	Code   string
	Title  string
	// Does has a letter for each of [Areas]: B for what breaks, d for what
	// depends on how it is used, - for what is safe.
	Does string
	// Way is the safe way, Command makes it. {what}, {table}, {column} and {code}
	// stand for those of the change.
	Way, Command string
}

// Taken reports whether the migration that weave migrate diff writes takes the
// safe way by itself, so that nothing waits for its locks for long
// (doc/operations/migrations.md).
func (k Kind) Taken() bool {
	switch k.Number {
	case 8, 15, 19, 21, 34, 35, 41, 43:
		return true
	}
	return false
}

// None of the fifty is number 0: additions, which break nothing.
const added = 0

const (
	migrate = "weave migrate diff NAME"
	accept  = "weave check --against TAG --accept {code}"
)

// Kinds are the kinds of change by their numbers, which are those of
// doc/schema/changes.md.
func Kinds() []Kind {
	return []Kind{
		{added, "added", "something new beside the fifty", "---------", "", ""},
		//                                                                rows locks old, REST GraphQL cursors, jobs events, permissions
		{1, "entity-added", "add an entity", "---------", "", migrate},
		{2, "entity-dropped", "drop an entity", "BdBBBBBB-", "sunset it, stop reading it, and drop it one release later", migrate + " --drop {table} --accept {code}"},
		{3, "entity-renamed", "rename an entity", "-dBBd-BB-", "expose.Was offers the old names of operations until their sunset; entsql.Table keeps the name of the table", migrate + " --accept {code}"},
		{4, "entity-hidden", "hide an entity", "---BBBdd-", "deprecate it with a sunset, and hide it after that", accept},
		{5, "path-changed", "change a path", "---B--d--", "serve both paths, the old one with Deprecation, until its sunset", accept},
		{6, "field-added", "add a nullable field", "---------", "", migrate},
		{7, "field-added-default", "add a field with a constant default", "---------", "", migrate},
		{8, "field-added-computed", "a default that Go computes, or a column that the database computes", "dBd------", "add it nullable, backfill it in batches, and require it in a later migration", migrate},
		{9, "field-added-required", "add a required field without a default", "BdBBB-d--", "give it a default, or expose.Backfill and let clients leave it out until the next version", migrate + " --accept {code}"},
		{10, "field-dropped", "drop a field", "BdBBBdBB-", "deprecate it, ignore it in one release, and drop it in the next", migrate + " --drop {table}.{column} --accept {code}"},
		{11, "field-renamed", "rename a field", "-dBBB-BB-", "expose.Was offers the old name until its sunset, and StorageKey keeps that of the column; or add the new one beside it, write both, backfill, and drop the old one", migrate + " --accept {code}"},
		{12, "type-widened", "int to bigint", "-Bddd----", "add a new column, keep both in step, and swap them", migrate},
		{13, "limit-raised", "a longer limit", "---d-----", "announce it: clients may keep values in less room", accept},
		{14, "type-narrowed", "a narrower type or limit", "BBBBBd---", "add a field of the new type beside it with expose.Backfill, and drop this one in a later release", migrate + " --accept {code}"},
		{15, "stored-required", "nullable to required, as stored", "BBB--d---", "expose.Backfill says what rows without a value get: the migration fills them before it requires one", migrate + " --accept {code}"},
		{16, "input-required", "an optional input becomes required", "---BB-B--", "require it in the next version of the API", accept},
		{17, "output-nullable", "a required output becomes nullable", "---BBddd-", "answer with a value in this version, and with null in the next", accept},
		{18, "default-changed", "another default", "---dd-d--", "announce it: who leaves the field out gets something else", migrate},
		{19, "unique-added", "add unique", "Bdddd----", "remove duplicates first: the migration names them, and changes nothing while there are any", migrate + " --accept {code}"},
		{20, "unique-dropped", "drop unique", "---dB----", "keep it unique while it is the key of paths", migrate + " --accept {code}"},
		{21, "validation-tightened", "tighter validation", "BBBBd-B--", "announce it, for the schemas of clients do not show it; add the check NOT VALID, clean the rows, validate it", migrate + " --accept {code}"},
		{22, "validation-loosened", "looser validation", "---dd----", "announce it: clients read values that they have not seen", migrate},
		{23, "enum-value-added", "add a value of an enum", "-dddd-dd-", "let all processes know the value before any writes it, and tell clients that the enum is extensible", migrate},
		{24, "enum-value-removed", "remove a value of an enum", "BdBBBBBB-", "map the rows with expose.ValueWas, then remove it", migrate + " --accept {code}"},
		{25, "enum-value-renamed", "rename a value of an enum", "-dBdd-BB-", "expose.ValueWas takes the old value on input until its sunset", migrate + " --accept {code}"},
		{26, "hidden", "a field made secret or internal", "---BBBBBB", "deprecate it first; revoke the cursors that hold it", accept},
		{27, "visibility-narrowed", "visible to fewer", "---BBdddB", "deprecate it for the others first", accept},
		{28, "visibility-widened", "visible to more", "--------d", "have the permission matrix approved", accept},
		{29, "writable-narrowed", "writable by fewer", "---BB---B", "announce it, with a date", accept},
		{30, "query-removed", "remove a filter, an order or a search", "---BBB---", "deprecate the parameter", accept},
		{31, "query-added", "add a filter or an order that no index serves, or a search", "-d-------", "expose.Selective() gives it an index; expose.Scanned() says that the table is small", migrate},
		{32, "listing-changed", "the default order or page size", "---ddB---", "give cursors a version, and let clients name the order that they want", accept},
		{33, "precision-changed", "precision of money or time", "BBBBBBBB-", "add a new field with expose.Backfill of this one", migrate + " --accept {code}"},
		{34, "edge-added", "add an edge", "-B-------", "nothing to do: on PostgreSQL the migration adds the foreign key NOT VALID, and validates it", migrate},
		{35, "edge-added-required", "add a required edge", "BBBBB-d--", "add it optional, backfill it, and require it in the next version", migrate + " --accept {code}"},
		{36, "edge-turned", "one to many becomes many to one", "BBBBBBBB-", "add the new edge beside the old one", migrate + " --drop {table}.{column} --accept {code}"},
		{37, "delete-rule-changed", "what a removal does to the rows that refer to it", "dd----BB-", "tell those who count on the rows being there, or gone", migrate + " --accept {code}"},
		{38, "soft-delete-changed", "soft deletes on or off", "BdBBBBBB-", "make uniques partial, and tell clients that totals change", migrate + " --accept {code}"},
		{39, "policy-changed", "rights to read or to do something", "---dddddB", "have the difference of the permission matrix approved", accept},
		{40, "operation-removed", "remove an operation", "---BB----", "deprecate it with a sunset, and remove it after that", accept},
		{41, "index-added", "add an index", "-B-------", "nothing to do: on PostgreSQL the migration makes it CONCURRENTLY, and drops an invalid one on retry", migrate},
		{42, "index-dropped", "drop an index", "-d-------", "drop it CONCURRENTLY, once pg_stat_user_indexes shows no use", migrate},
		{43, "kept-added", "add a count, a sum or a stamp that the database keeps", "dB-------", "nothing to do: the migration makes the trigger, and counts the rows that there are, on PostgreSQL in batches", migrate},
		{44, "meaning-changed", "rule of a count or of a derived field", "---ddddd-", "give the new meaning a new name", migrate},
		{45, "job-arguments-changed", "arguments of a job: required, removed, renamed, of another type", "------B--", "have the new version read what the old one wrote until the queue is empty", accept},
		{46, "job-kind-removed", "a kind of job is renamed or removed", "------B--", "keep the old kind as an alias while rows of it wait", accept},
		{47, "event-changed", "the payload of an event", "-------B-", "announce it under a new name beside the old one", migrate + " --accept {code}"},
		{48, "id-type-changed", "the type of ids", "BBBBBBBB-", "take both forms", migrate + " --accept {code}"},
		{49, "input-changed", "an input of an operation: removed, or required and new", "---BB-B--", "take the old input until its sunset, and give the new one a default", accept},
		{50, "limit-lowered", "a limit of requests is lowered", "---dd----", "announce it", accept},
	}
}

var letters = map[byte]Effect{'-': Safe, 'd': Depends, 'B': Breaks}

// Effects are the worst effects of the kind.
func (k Kind) Effects() (e Effects) {
	for i, a := range Areas() {
		*a.Of(&e) = letters[k.Does[i]]
	}
	return e
}

// Letters sum up what the kind does: S for the database and the processes of the
// old version, R for REST, G for GraphQL, C for cursors, J for jobs and events,
// P for permissions; capital for what breaks, small for what depends.
func (k Kind) Letters() string {
	e := k.Effects()
	var b strings.Builder
	for _, part := range []struct {
		letter string
		is     Effect
	}{
		{"s", max(e.Rows, e.Locks, e.Old)}, {"r", e.REST}, {"g", e.GraphQL}, {"c", e.Cursors}, {"j", max(e.Jobs, e.Events)}, {"p", e.Permissions},
	} {
		switch part.is {
		case Breaks:
			b.WriteString(strings.ToUpper(part.letter))
		case Depends:
			b.WriteString(part.letter)
		}
	}
	return b.String()
}
