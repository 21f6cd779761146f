// Imports a package relative to this file. A copy of this file in another directory imports the
// package's copy there.

export const load = (specifier) => import(specifier);
