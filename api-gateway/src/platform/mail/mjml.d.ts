/** Types for the part of the package that the gateway uses. The package has no types itself. */
declare module 'mjml' {
  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export default function mjml2html(
    source: string,
    options: { validationLevel: 'strict'; keepComments: boolean },
  ): Promise<{ html: string; errors: readonly { formattedMessage: string }[] }>
}
