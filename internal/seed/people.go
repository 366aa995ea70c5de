package seed

import (
	"context"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/kit/runtime/fold"
	"github.com/entwine-go/entwine/kit/viewer"
)

// users makes users and returns their ids. None of them has a password:
// entwine token signs them in.
func (s *Seeder) users(ctx context.Context, n int) ([]int64, error) {
	before, err := s.lastID(ctx, user.Table)
	if err != nil {
		return nil, err
	}
	columns := []string{
		user.FieldCreatedAt, user.FieldUpdatedAt, user.FieldName, user.FieldEmail, user.FieldRole, user.FieldAge,
		user.FieldIsActive, user.FieldSalary, user.FieldNameFold, user.FieldEmailFold,
	}
	err = s.load(ctx, user.Table, columns, n, func(i int, row []any) {
		first, last := s.words.one(firstNames), s.words.one(lastNames)
		name := first + " " + last
		email := strings.ToLower(first + "." + last + strconv.FormatInt(before+int64(i)+1, 10) + "@example.com")
		at := s.at(i, n)
		row[0], row[1], row[2], row[3] = at, at, name, email
		row[4], row[5], row[6], row[7] = s.role(), s.age(), s.chance(0.97), s.salary()
		row[8], row[9] = fold.String(name), fold.String(email)
	})
	if err != nil {
		return nil, err
	}
	return s.idsAfter(ctx, user.Table, before)
}

// role returns user for most, and never admin.
func (s *Seeder) role() string {
	if s.chance(0.95) {
		return string(viewer.User)
	}
	others := []viewer.Role{viewer.Editor, viewer.Developer, viewer.SeniorDeveloper, viewer.LeadDeveloper, viewer.Moderator}
	return string(others[s.random.IntN(len(others))])
}

// age returns one that most people have told.
func (s *Seeder) age() any {
	if s.chance(0.2) {
		return nil
	}
	return int64(min(120, 18+int(s.random.ExpFloat64()*15)))
}

func (s *Seeder) salary() any {
	if s.chance(0.7) {
		return nil
	}
	return float64(25_000 + 500*s.random.IntN(250))
}
