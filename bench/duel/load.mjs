// Imports a package from the directory of this file. A copy of this file in another directory
// imports the copy of the package there.

export const load = (specifier) => import(specifier);
