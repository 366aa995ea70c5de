// The console as a whole: who is signed in, what there is, and the page that the address names.
import { useEffect, useState } from "preact/hooks";
import { call, Refusal, session } from "./api/http";
import { load, Service } from "./api/manifest";
import { SignIn } from "./account/sign-in";
import { Failed, Loading, Notes, say } from "./parts/say";
import { Page } from "./pages/page";
import { Nav } from "./pages/nav";
import { settings } from "./api/settings";

export interface Viewer { email: string; name: string }

export interface Console {
  service: Service;
  viewer?: Viewer | undefined;
}

export function App() {
  const [shown, show] = useState<Console>();
  const [error, fail] = useState<unknown>();
  const [asking, ask] = useState(false); // for a sign-in

  async function begin(): Promise<void> {
    try {
      const service = new Service(await load());
      const viewer = settings.accounts && service.manifest.viewer.kind === "user" ? await me() : undefined;
      show({ service, viewer });
      fail(undefined);
      ask(settings.accounts && !viewer);
    } catch (err) {
      fail(err);
    }
  }
  useEffect(() => {
    void begin();
    session.ended = () => ask(true);
  }, []);

  async function leave(): Promise<void> {
    await call("POST", "/auth/logout").catch((err: unknown) => say(String(err), true));
    show(undefined);
    await begin();
  }

  if (error !== undefined) return <main class="alone"><Failed error={error} again={begin} /></main>;
  if (!shown) return <main class="alone"><Loading what="the console" /></main>;
  if (asking) return <SignIn onDone={begin} onSkip={shown.viewer ? undefined : () => ask(false)} />;
  return (
    <div class="frame">
      <a class="skip" href="#main">Skip to content</a>
      <Nav console={shown} onLeave={leave} onEnter={() => ask(true)} />
      <main id="main" tabIndex={-1}><Page console={shown} /></main>
      <Notes />
    </div>
  );
}

/** Who is signed in, if anybody is. */
async function me(): Promise<Viewer | undefined> {
  const ended = session.ended;
  session.ended = () => {};
  try {
    const { body } = await call("GET", "/auth/me");
    const data = (body as unknown as { data: Viewer & { user?: Viewer } }).data;
    return data.user ?? data;
  } catch (err) {
    if (err instanceof Refusal && err.status === 401) return undefined;
    throw err;
  } finally {
    session.ended = ended;
  }
}
