// Who looks at a row, and what each of them says of itself. Beside the run-time, for
// services whose rows show that.
import { LiveList } from "./live.js";
import { ApiError, sleep } from "./runtime.js";
import type { Connection } from "./runtime.js";

/** The least time between two things that are said, in milliseconds: the service takes 20 in a second. */
const pace = 60;

/**
 * Who looks at a row. While something subscribes to it this client is one of them. It is followed as a list is:
 * `useLive(() => db.posts.presence(post))` of React.
 */
export class Presence<Member extends { id: string; state: object }> extends LiveList<Member> {
  /** Which of the members this client is. */
  me: string | undefined;
  private token: string | undefined;
  private state: Partial<Member["state"]> | undefined;
  private said: Partial<Member["state"]> | undefined;
  private saying = false;

  constructor(connection: Connection, entity: string, row: unknown) {
    super(connection, "/presence", {}, { entity, id: row });
  }

  /** Says something of this client to the others: the last state is sent as often as the service takes it. */
  set(state: Partial<Member["state"]>): void {
    this.state = state;
    void this.say();
  }

  protected override heard(event: string, data: unknown): boolean {
    if (event === "end" && (data as { code: string }).code === "RESOURCE_NOT_FOUND") throw new ApiError(404, "RESOURCE_NOT_FOUND", "the row is not there for the caller any more");
    if (event !== "joined") return super.heard(event, data);
    ({ token: this.token, id: this.me } = data as { token: string; id: string });
    this.said = undefined; // this stream has said nothing yet
    void this.say();
    return true;
  }

  private async say(): Promise<void> {
    if (this.saying) return;
    this.saying = true;
    for (let wait = pace; this.token !== undefined && this.state !== this.said; wait = pace) {
      const { token, state } = this;
      try {
        await this.connection.call({ method: "POST", path: "/presence", body: { token, state } });
        this.said = state;
      } catch (err) {
        if (!(err instanceof ApiError) || err.status === 400) this.said = state; // it can't be said
        else if (err.status === 404 && this.token === token) this.token = undefined; // until the stream is made anew
        else wait = 1000;
      }
      await sleep(wait);
    }
    this.saying = false;
  }
}
