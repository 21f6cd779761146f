// Imports a package from where this file is: a copy of the file in another directory finds another copy of the
// package there.

export const load = (specifier) => import(specifier);
