package seed

import (
	"context"

	"github.com/entwine-go/entwine/ent/category"
	"github.com/entwine-go/entwine/ent/comment"
	"github.com/entwine-go/entwine/ent/post"
	"github.com/entwine-go/entwine/kit/runtime/fold"
)

// topics are the categories, made where they are missing.
var topics = []string{"arts", "business", "cooking", "gardening", "health", "history", "music", "science", "sports", "travel"}

// categories returns the ids of the topics.
func (s *Seeder) categories(ctx context.Context) ([]int64, error) {
	before, err := s.lastID(ctx, category.Table)
	if err != nil {
		return nil, err
	}
	if before == 0 {
		columns := []string{category.FieldCreatedAt, category.FieldUpdatedAt, category.FieldName, category.FieldNameFold}
		err := s.loadBatch(ctx, category.Table, columns, 0, len(topics), func(i int, row []any) {
			at := s.Now.Add(-span)
			row[0], row[1], row[2], row[3] = at, at, topics[i], fold.String(topics[i])
		})
		if err != nil {
			return nil, err
		}
	}
	return s.idsAfter(ctx, category.Table, 0)
}

// posts makes posts of the users and returns their ids.
func (s *Seeder) posts(ctx context.Context, n int, users []int64) ([]int64, error) {
	before, err := s.lastID(ctx, post.Table)
	if err != nil || n == 0 {
		return nil, err
	}
	categories, err := s.categories(ctx)
	if err != nil {
		return nil, err
	}
	authors, about := s.crowd(users), s.crowd(categories)
	columns := []string{
		post.FieldCreatedAt, post.FieldUpdatedAt, post.FieldTitle, post.FieldContent, post.FieldPublished, post.FieldPublishedAt,
		post.FieldAuthorID, post.FieldCategoryID, post.FieldTitleFold, post.FieldContentFold,
	}
	err = s.load(ctx, post.Table, columns, n, func(i int, row []any) {
		title, content, at := pick(s.random, s.prose.titles), s.prose.text(s.random), s.at(i, n)
		row[0], row[1], row[2], row[3] = at, at, title, content
		row[4], row[5] = false, nil
		if s.chance(0.85) {
			row[4], row[5] = true, at
		}
		row[6], row[7] = authors.draw(), nil
		if s.chance(0.8) {
			row[7] = about.draw()
		}
		row[8], row[9] = fold.String(title), fold.String(content)
	})
	if err != nil {
		return nil, err
	}
	return s.idsAfter(ctx, post.Table, before)
}

// comments makes comments of the users about the posts.
func (s *Seeder) comments(ctx context.Context, n int, users, posts []int64) error {
	authors, about := s.crowd(users), s.crowd(posts)
	columns := []string{
		comment.FieldCreatedAt, comment.FieldUpdatedAt, comment.FieldText, comment.FieldPostID, comment.FieldAuthorID,
	}
	return s.load(ctx, comment.Table, columns, n, func(i int, row []any) {
		at := s.at(i, n)
		row[0], row[1], row[2], row[3], row[4] = at, at, s.prose.remark(s.random), about.draw(), authors.draw()
	})
}
