package schema_test

// policies says what each caller is answered, for each kind of row of the
// world: yes, 401 without credentials, 403 without the right, 404 for rows that the
// caller can't read. To create a row is to create an equal one, with its owner.
var policies = map[string]string{
	"User": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read_deleted            | 401       403       403       403       403       403       yes       403       403
read deleted            | 401       404       404       404       404       404       404       404       403
activate deleted        | 401       404       404       404       404       404       404       404       403
create deleted          | 401       403       403       403       403       403       yes       403       403
deactivate deleted      | 401       404       404       404       404       404       404       404       403
delete deleted          | 401       404       404       404       404       404       404       404       403
remove deleted          | 401       404       404       404       404       404       yes       404       403
restore deleted         | 401       404       404       404       404       404       yes       404       403
update deleted          | 401       404       404       404       404       404       404       404       403
read self               | 401       yes       yes       yes       yes       yes       yes       yes       403
activate self           | 401       403       403       403       403       403       yes       403       403
create self             | 401       403       403       403       403       403       yes       403       403
deactivate self         | 401       403       403       403       403       403       yes       403       403
delete self             | 401       403       403       403       403       403       yes       403       403
remove self             | 401       403       403       403       403       403       yes       403       403
restore self            | 401       403       403       403       403       403       yes       403       403
update self             | 401       yes       403       403       403       403       yes       403       403
`,
	"Profile": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read deleted            | 401       404       404       404       404       404       404       404       403
create deleted          | 401       403       403       403       403       403       404       403       403
update deleted          | 401       404       404       404       404       404       404       404       403
read theirs             | 401       yes       yes       yes       yes       yes       yes       yes       403
create theirs           | 401       yes       403       403       403       403       yes       403       403
update theirs           | 401       yes       403       403       403       403       yes       403       403
`,
	"Follow": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read theirs             | 401       yes       yes       yes       yes       yes       yes       yes       403
create theirs           | 401       yes       403       403       403       403       yes       403       403
delete theirs           | 401       yes       403       403       403       403       yes       403       403
read of a deleted one   | 401       404       404       404       404       404       404       404       403
create of a deleted one | 401       404       403       403       403       403       404       403       403
delete of a deleted one | 401       404       404       404       404       404       404       404       403
`,
	"Post": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read_deleted            | 401       403       403       403       403       403       yes       403       403
read archived           | 404       yes       404       404       yes       404       yes       404       404
archive archived        | 401       yes       404       404       403       404       yes       404       404
create archived         | 401       yes       403       403       403       403       yes       403       403
delete archived         | 401       yes       404       404       403       404       yes       404       404
publish archived        | 401       yes       404       404       403       404       yes       404       404
remove archived         | 401       403       404       404       403       404       yes       404       404
restore archived        | 401       403       404       404       403       404       yes       404       404
update archived         | 401       yes       404       404       403       404       yes       404       404
read deleted            | 404       404       404       404       404       404       404       404       404
archive deleted         | 401       404       404       404       404       404       404       404       404
create deleted          | 401       yes       403       403       403       403       yes       403       403
delete deleted          | 401       404       404       404       404       404       404       404       404
publish deleted         | 401       404       404       404       404       404       404       404       404
remove deleted          | 401       404       404       404       404       404       yes       404       404
restore deleted         | 401       404       404       404       404       404       yes       404       404
update deleted          | 401       404       404       404       404       404       404       404       404
read draft              | 404       yes       404       404       yes       404       yes       404       404
archive draft           | 401       yes       404       404       403       404       yes       404       404
create draft            | 401       yes       403       403       403       403       yes       403       403
delete draft            | 401       yes       404       404       403       404       yes       404       404
publish draft           | 401       yes       404       404       403       404       yes       404       404
remove draft            | 401       403       404       404       403       404       yes       404       404
restore draft           | 401       403       404       404       403       404       yes       404       404
update draft            | 401       yes       404       404       403       404       yes       404       404
read published          | yes       yes       yes       yes       yes       yes       yes       yes       yes
archive published       | 401       yes       403       403       403       403       yes       403       403
create published        | 401       yes       403       403       403       403       yes       403       403
delete published        | 401       yes       403       yes       403       403       yes       403       403
publish published       | 401       yes       403       403       403       403       yes       403       403
remove published        | 401       403       403       403       403       403       yes       403       403
restore published       | 401       403       403       403       403       403       yes       403       403
update published        | 401       yes       403       403       403       403       yes       403       403
`,
	"Comment": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read_deleted            | 401       403       403       403       403       403       yes       403       403
read deleted            | 404       404       404       404       404       404       404       404       404
create deleted          | 401       yes       403       403       403       403       yes       403       403
delete deleted          | 401       404       404       404       404       404       404       404       404
remove deleted          | 401       404       404       404       404       404       yes       404       404
restore deleted         | 401       404       404       404       404       404       yes       404       404
update deleted          | 401       404       404       404       404       404       404       404       404
read on a draft         | 404       404       yes       404       yes       404       yes       404       404
create on a draft       | 401       404       403       403       403       403       yes       403       403
delete on a draft       | 401       404       403       404       403       404       yes       404       404
remove on a draft       | 401       404       403       404       403       404       yes       404       404
restore on a draft      | 401       404       403       404       403       404       yes       404       404
update on a draft       | 401       404       403       404       403       404       yes       404       404
read on a post          | yes       yes       yes       yes       yes       yes       yes       yes       yes
create on a post        | 401       yes       403       403       403       403       yes       403       403
delete on a post        | 401       yes       403       yes       403       403       yes       403       403
remove on a post        | 401       403       403       403       403       403       yes       403       403
restore on a post       | 401       403       403       403       403       403       yes       403       403
update on a post        | 401       yes       403       403       403       403       yes       403       403
`,
	"CommentAttachment": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read on a deleted one   | 404       404       404       404       404       404       404       404       404
create on a deleted one | 401       404       403       403       403       403       404       403       403
delete on a deleted one | 401       404       404       404       404       404       404       404       404
update on a deleted one | 401       404       404       404       404       404       404       404       404
read on a draft         | 404       404       yes       404       yes       404       yes       404       404
create on a draft       | 401       404       403       403       403       403       yes       403       403
delete on a draft       | 401       404       403       404       403       404       yes       404       404
update on a draft       | 401       404       403       404       403       404       yes       404       404
read on a post          | yes       yes       yes       yes       yes       yes       yes       yes       yes
create on a post        | 401       yes       403       403       403       403       yes       403       403
delete on a post        | 401       yes       403       yes       403       403       yes       403       403
update on a post        | 401       yes       403       403       403       403       yes       403       403
`,
	"Category": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read_deleted            | 401       403       403       403       403       403       yes       403       403
read any                | yes       yes       yes       yes       yes       yes       yes       yes       yes
create any              | 401       403       403       403       403       403       yes       403       yes
delete any              | 401       403       403       403       403       403       yes       403       yes
remove any              | 401       403       403       403       403       403       yes       403       403
restore any             | 401       403       403       403       403       403       yes       403       403
update any              | 401       403       403       403       403       403       yes       403       yes
read deleted            | 404       404       404       404       404       404       404       404       404
create deleted          | 401       403       403       403       403       403       yes       403       yes
delete deleted          | 401       404       404       404       404       404       404       404       404
remove deleted          | 401       404       404       404       404       404       yes       404       404
restore deleted         | 401       404       404       404       404       404       yes       404       404
update deleted          | 401       404       404       404       404       404       404       404       404
`,
	"Like": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read of a draft         | 404       404       yes       404       yes       404       yes       404       404
create of a draft       | 401       404       403       403       403       403       yes       403       403
delete of a draft       | 401       404       403       404       403       404       yes       404       404
read of a post          | yes       yes       yes       yes       yes       yes       yes       yes       yes
create of a post        | 401       yes       403       403       403       403       yes       403       403
delete of a post        | 401       yes       403       403       403       403       yes       403       403
`,
	"Share": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read of a draft         | 401       404       yes       404       yes       404       yes       404       403
create of a draft       | 401       404       403       403       403       403       yes       403       403
read of a post          | 401       yes       yes       yes       yes       yes       yes       yes       403
create of a post        | 401       yes       403       403       403       403       yes       403       403
`,
	"Product": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read_deleted            | 401       403       403       403       403       403       yes       403       403
read any                | yes       yes       yes       yes       yes       yes       yes       yes       yes
create any              | 401       403       403       403       403       403       yes       403       yes
delete any              | 401       403       403       403       403       403       yes       403       yes
remove any              | 401       403       403       403       403       403       yes       403       403
restore any             | 401       403       403       403       403       403       yes       403       403
update any              | 401       403       403       403       403       403       yes       403       yes
read deleted            | 404       404       404       404       404       404       404       404       404
create deleted          | 401       403       403       403       403       403       yes       403       yes
delete deleted          | 401       404       404       404       404       404       404       404       404
remove deleted          | 401       404       404       404       404       404       yes       404       404
restore deleted         | 401       404       404       404       404       404       yes       404       404
update deleted          | 401       404       404       404       404       404       404       404       404
`,
	"ProductPicture": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read of a deleted one   | 404       404       404       404       404       404       404       404       404
create of a deleted one | 401       403       403       403       403       403       404       403       404
delete of a deleted one | 401       404       404       404       404       404       404       404       404
update of a deleted one | 401       404       404       404       404       404       404       404       404
read of a product       | yes       yes       yes       yes       yes       yes       yes       yes       yes
create of a product     | 401       403       403       403       403       403       yes       403       yes
delete of a product     | 401       403       403       403       403       403       yes       403       yes
update of a product     | 401       403       403       403       403       403       yes       403       yes
`,
	"Review": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read_deleted            | 401       403       403       403       403       403       yes       403       403
read deleted            | 404       404       404       404       404       404       404       404       404
create deleted          | 401       yes       403       403       403       403       yes       403       403
delete deleted          | 401       404       404       404       404       404       404       404       404
remove deleted          | 401       404       404       404       404       404       yes       404       404
restore deleted         | 401       404       404       404       404       404       yes       404       404
update deleted          | 401       404       404       404       404       404       404       404       404
read of a purchase      | yes       yes       yes       yes       yes       yes       yes       yes       yes
create of a purchase    | 401       yes       403       403       403       403       yes       403       403
delete of a purchase    | 401       yes       403       403       403       403       yes       403       403
remove of a purchase    | 401       403       403       403       403       403       yes       403       403
restore of a purchase   | 401       403       403       403       403       403       yes       403       403
update of a purchase    | 401       yes       403       403       403       403       yes       403       403
read of anything        | yes       yes       yes       yes       yes       yes       yes       yes       yes
create of anything      | 401       403       403       403       403       403       yes       403       403
delete of anything      | 401       yes       403       403       403       403       yes       403       403
remove of anything      | 401       403       403       403       403       403       yes       403       403
restore of anything     | 401       403       403       403       403       403       yes       403       403
update of anything      | 401       yes       403       403       403       403       yes       403       403
`,
	"CartItem": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read theirs             | 401       yes       404       404       404       404       yes       403       403
create theirs           | 401       yes       403       403       403       403       403       403       403
delete theirs           | 401       yes       404       404       404       404       403       403       403
update theirs           | 401       yes       404       404       404       404       403       403       403
clear                   | 401       yes       yes       yes       yes       yes       yes       403       403
`,
	"Order": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read nobody's           | 401       404       404       404       404       404       yes       403       403
cancel nobody's         | 401       404       404       404       404       404       yes       403       403
create nobody's         | 401       403       403       403       403       403       403       403       403
pay nobody's            | 401       404       404       404       404       404       yes       403       403
refund nobody's         | 401       404       404       404       404       404       yes       403       403
read theirs             | 401       yes       404       404       404       404       yes       403       403
cancel theirs           | 401       yes       404       404       404       404       yes       403       403
create theirs           | 401       yes       403       403       403       403       403       403       403
pay theirs              | 401       yes       404       404       404       404       yes       403       403
refund theirs           | 401       403       404       404       404       404       yes       403       403
`,
	"OrderItem": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read theirs             | 401       yes       404       404       404       404       yes       403       403
`,
	"Payment": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read theirs             | 401       yes       404       404       404       404       yes       403       403
create theirs           | 401       yes       403       403       403       403       yes       403       403
refund theirs           | 401       403       404       404       404       404       yes       403       403
`,
	"Refund": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read theirs             | 401       yes       404       404       404       404       yes       403       403
create theirs           | 401       403       403       403       403       403       yes       403       403
`,
	"Invoice": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read theirs             | 401       yes       404       404       404       404       yes       403       403
`,
	"Job": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
analytics               | 401       403       403       403       403       403       yes       403       403
report                  | 401       403       403       403       403       403       yes       403       403
sales                   | 401       403       403       403       403       403       yes       403       403
read by system          | 401       404       404       404       404       404       yes       404       404
cancel by system        | 401       404       404       404       404       404       yes       404       404
retry by system         | 401       404       404       404       404       404       yes       404       404
read by user            | 401       yes       404       404       404       404       yes       404       404
cancel by user          | 401       yes       404       404       404       404       yes       404       404
retry by user           | 401       yes       404       404       404       404       yes       404       404
read by reader          | 401       404       404       404       404       404       yes       yes       404
cancel by reader        | 401       404       404       404       404       404       yes       yes       404
retry by reader         | 401       404       404       404       404       404       yes       yes       404
read by writer          | 401       404       404       404       404       404       yes       404       yes
cancel by writer        | 401       404       404       404       404       404       yes       404       yes
retry by writer         | 401       404       404       404       404       404       yes       404       yes
`,
	"DeprecatedUse": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
read any                | 401       403       403       403       403       403       yes       403       403
`,
	"Email": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
send                    | 401       403       403       403       403       403       yes       403       yes
read any                | 401       403       403       403       403       403       yes       403       403
`,
	"APIKey": `
                        | anonymous owner     other     moderator editor    developer admin     reader    writer
use_data                | 401       401       401       401       401       401       401       yes       403
read any                | 401       403       403       403       403       403       yes       403       403
create any              | 401       403       403       403       403       403       yes       403       403
pin any                 | 401       403       403       403       403       403       yes       403       403
revoke any              | 401       403       403       403       403       403       yes       403       403
rotate any              | 401       403       403       403       403       403       yes       403       403
`,
}
