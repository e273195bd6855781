/** The release to which the programs of this repository belong, as in package.json. */
export const RELEASE = '0.9.0'
