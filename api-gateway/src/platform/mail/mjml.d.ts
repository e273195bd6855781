/** The part of the package that is used here; it comes without types. */
declare module 'mjml' {
  // biome-ignore lint/style/noDefaultExport: the package has one
  export default function mjml2html(
    source: string,
    options: { validationLevel: 'strict'; keepComments: boolean },
  ): Promise<{ html: string; errors: readonly { formattedMessage: string }[] }>
}
