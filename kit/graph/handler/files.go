package handler

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// keeping has a field refused where no files are kept.
func keeping(k *files.Keeper, answer execute.Write) execute.Write {
	return func(ctx context.Context, given map[string]any) (any, error) {
		if k == nil {
			return nil, problem.New(problem.Unavailable, "files are not kept here")
		}
		return answer(ctx, given)
	}
}

// FileUsage answers with how much is stored for the caller.
func FileUsage(k *files.Keeper) execute.Write {
	return keeping(k, func(ctx context.Context, _ map[string]any) (any, error) { return k.Usage(ctx) })
}

// FileUpload answers with what is missing of the caller's upload.
func FileUpload(k *files.Keeper) execute.Write {
	return keeping(k, func(ctx context.Context, given map[string]any) (any, error) {
		p, err := partial(ctx, k, given)
		if err != nil {
			return nil, err
		}
		size, _ := given["partSize"].(int64)
		return k.Plan(ctx, p, size, expose.LinkBase)
	})
}

func partial(ctx context.Context, k *files.Keeper, given map[string]any) (*files.Partial, error) {
	id, _ := given["id"].(string)
	return k.Partial(ctx, id)
}

// RequestUpload begins an upload, and answers with the requests that send its parts.
func RequestUpload(k *files.Keeper) execute.Write {
	return keeping(k, func(ctx context.Context, given map[string]any) (any, error) {
		in, _ := given["input"].(map[string]any)
		w, err := wanted(k, in)
		if err != nil {
			return nil, err
		}
		if key, given := given[execute.KeyArgument].(string); given {
			if w.Key, err = idempotency.KeyOf(viewer.From(ctx), []string{key}); err != nil {
				return nil, err
			}
		}
		p, err := k.Request(ctx, w)
		if err != nil {
			return nil, err
		}
		if p.Repeated {
			execute.Replay(ctx)
		}
		return k.Plan(ctx, p, w.PartSize, expose.LinkBase)
	})
}

// wanted reads the input of requestUpload.
func wanted(k *files.Keeper, in map[string]any) (w files.Wanted, err error) {
	name, _ := in["for"].(string)
	target, known := k.Target(name)
	if !known || target.Field.File.Issued {
		return w, problem.Inputs(problem.Invalidf("for", name, "must be a field that takes files"))
	}
	size, _ := in["size"].(float64)
	if w.Length = int64(size); float64(w.Length) != size || w.Length < 1 {
		return w, problem.Inputs(problem.Invalidf("size", size, "must be a whole number of bytes, 1 at least"))
	}
	if text, _ := in["sha256"].(string); text != "" {
		if w.SHA256, err = hex.DecodeString(text); err != nil || len(w.SHA256) != sha256.Size {
			return w, problem.Inputs(problem.Invalidf("sha256", text, "must be %d hexadecimal digits", 2*sha256.Size))
		}
	}
	w.Target = target
	w.Name, _ = in["name"].(string)
	w.MediaType, _ = in["mediaType"].(string)
	w.PartSize, _ = in["partSize"].(int64)
	return w, nil
}

// storedFile is a file as clients see it.
type storedFile struct {
	ID        string `json:"id"`
	URL       string `json:"url"`
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int64  `json:"size"`
	SHA256    string `json:"sha256"`
}

// CompleteUpload makes the file of the caller's upload.
func CompleteUpload(k *files.Keeper) execute.Write {
	return keeping(k, func(ctx context.Context, given map[string]any) (any, error) {
		p, err := partial(ctx, k, given)
		if err != nil {
			return nil, err
		}
		f, err := k.Complete(ctx, p)
		if err != nil {
			return nil, err
		}
		return &storedFile{f.Key(), f.Address, f.Name, f.MediaType, f.Size, f.SHA256}, nil
	})
}
