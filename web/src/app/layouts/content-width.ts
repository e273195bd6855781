/** The classes of the width of a signed-in page, which its bars share. */
export const CONTENT_WIDTH = 'mx-auto w-full max-w-6xl sm:px-6'
