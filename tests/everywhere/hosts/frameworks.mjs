// Frameworks for the web, for servers and for apps: each is built for production, as its users do. They are in frameworks/.

import { angular } from "../frameworks/angular.mjs";
import { astro } from "../frameworks/astro.mjs";
import { expo } from "../frameworks/expo.mjs";
import { nest } from "../frameworks/nest.mjs";
import { nuxt } from "../frameworks/nuxt.mjs";
import { reactRouter } from "../frameworks/react-router.mjs";
import { sveltekit } from "../frameworks/sveltekit.mjs";

export const rows = [...nuxt, ...sveltekit, ...astro, ...reactRouter, ...angular, ...nest, ...expo];
