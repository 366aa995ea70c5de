// The console as a whole: who is signed in, what there is, and the page that the address names.
import { useEffect, useState } from "preact/hooks";
import { client, session } from "./api/client";
import { seeing } from "./api/seeing";
import { Service } from "./api/service";
import { SeeingBar } from "./account/see-as";
import { SignIn } from "./account/sign-in";
import { Failed, Loading, Notes, say } from "./parts/say";
import { Page } from "./pages/page";
import { Nav } from "./pages/nav";
import { settings } from "./api/settings";
import { spoken, t } from "./texts/text";

export interface Viewer { id?: number; email: string; name: string }

export interface Console {
  service: Service;
  viewer?: Viewer | undefined;
}

export function App() {
  const [shown, show] = useState<Console>();
  const [error, fail] = useState<unknown>();
  const [asking, ask] = useState(false); // for a sign-in
  const [language, speak] = useState(spoken.language);

  async function begin(): Promise<void> {
    try {
      const service = new Service(await client.manifest(spoken.language === "mirrored" ? "en" : spoken.language));
      const as = seeing.now;
      const viewer = as && !as.token ? undefined : as && !as.user ? { name: as.who, email: t("a role") }
        : settings.accounts && service.manifest.viewer.kind === "user" ? await client.session.me<Viewer>() : undefined;
      if (as !== seeing.now) return; // it has begun, or ended, meanwhile
      service.me = as ? undefined : viewer?.id;
      show({ service, viewer });
      fail(undefined);
      ask(settings.accounts && !viewer && !as);
    } catch (err) {
      fail(err);
    }
  }
  useEffect(() => {
    void begin();
    session.ended = () => ask(true);
    spoken.changed = () => void begin().then(() => speak(spoken.language));
    seeing.changed = () => { show(undefined); void begin(); };
  }, []);

  async function leave(): Promise<void> {
    await client.session.signOut().catch((err: unknown) => say(String(err), true));
    show(undefined);
    await begin();
  }

  if (error !== undefined) return <main class="alone"><Failed error={error} again={begin} /></main>;
  if (!shown) return <main class="alone"><Loading what={t("the console")} /></main>;
  if (asking) return <SignIn onDone={begin} onSkip={shown.viewer ? undefined : () => ask(false)} />;
  return (
    <div class={seeing.now ? "frame seen" : "frame"}>
      {seeing.now && <SeeingBar as={seeing.now} />}
      <a class="skip" href="#main">{t("Skip to content")}</a>
      <Nav console={shown} onLeave={leave} onEnter={() => ask(true)} />
      <main id="main" tabIndex={-1}><Page key={language} console={shown} /></main>
      <Notes />
    </div>
  );
}
