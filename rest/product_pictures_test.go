package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestAProductHasPicturesInOrder(t *testing.T) {
	each(t, func(w *world) {
		product := fmt.Sprint(w.ent.Product.Create().SetName("Slide rule").SetPrice(1999).SaveX(w.system).ID)
		list := "/api/v1/products/" + product + "/pictures"
		images := map[string]string{}
		for i, alt := range []string{"the back", "the front", "the case"} {
			address := w.send(w.admin, "POST", "/api/v1/files?for=product_picture.image", snapshot(300+10*i, 200), "Content-Type", "image/jpeg").want(201).data()["url"].(string)
			images[alt] = address
			w.send(w.admin, "POST", list, fmt.Sprintf(`{"image":%q,"alt":%q,"position":%d}`, address, alt, []int{2, 1, 3}[i])).want(201).keepsContract("POST", "/api/v1/products/{id}/pictures")
		}
		shown := w.send(w.nobody, "GET", list, "").want(200)
		shown.keepsContract("GET", "/api/v1/products/{id}/pictures")
		var order []string
		for _, row := range shown.Body["data"].([]any) {
			order = append(order, row.(map[string]any)["alt"].(string))
		}
		if got := strings.Join(order, ", "); got != "the front, the back, the case" {
			w.t.Errorf("the pictures are %s", got)
		}

		// Those who read the product see them, and no one once it is deleted.
		front := images["the front"]
		w.send(w.nobody, "GET", front, "").want(200)
		if got := w.send(w.nobody, "GET", front+"?variant=small", "").want(200); sized(w.t, got.Raw) != "jpeg 103 × 160" {
			w.t.Errorf("the small one is %s", sized(w.t, got.Raw))
		}
		w.send(w.ada, "POST", "/api/v1/files?for=product_picture.image", snapshot(30, 20), "Content-Type", "image/jpeg").want(403)
		w.send(w.admin, "DELETE", "/api/v1/products/"+product, "").want(204)
		w.send(w.nobody, "GET", front, "").want(404)
		w.send(w.nobody, "GET", front+"?variant=small", "").want(404)
		w.send(w.admin, "POST", "/api/v1/products/"+product+"/restore", "").want(200)
		w.send(w.nobody, "GET", front, "").want(200)
		w.send(w.admin, "DELETE", "/api/v1/products/"+product+"?hard=true", "").want(204)
		w.swept(4)
		if w.stored() != 0 {
			w.t.Errorf("%d are stored after the product is gone", w.stored())
		}
	})
}

// The second version has names of its own for fields, and takes those of the first.
func TestAFieldOfFilesHasTheNamesOfEachVersion(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		for _, name := range []string{"productPicture.image", "product_picture.image"} {
			w.send(w.admin, "POST", "/api/v2/files?for="+name, snapshot(30, 20), "Content-Type", "image/jpeg").want(201)
		}
		for version, name := range map[string]string{"v1": "product_picture.image", "v2": "productPicture.image"} {
			if a := w.send(w.admin, "POST", "/api/"+version+"/files?for=other", "x").want(400); !strings.Contains(a.Raw, name) {
				w.t.Errorf("%s names %s, want %s", version, a.Raw, name)
			}
		}
		w.send(w.admin, "POST", "/api/v1/files?for=productPicture.image", "x").want(400)
	})
}
