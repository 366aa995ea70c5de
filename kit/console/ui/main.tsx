// Puts the console into its page.
import { render } from "preact";
import { settings } from "./api/settings";
import { App } from "./app";
import { follow } from "./router";
import { tell } from "./texts/text";

follow();
tell();
render(<App />, settings.element);
