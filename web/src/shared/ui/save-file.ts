/** Saves a text of the page as a file. */
export function saveFile(file: { name: string; text: string; mediaType: string }): void {
  const type = `${file.mediaType};charset=utf-8`
  const url = URL.createObjectURL(new Blob([file.text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = file.name
  link.click()
  URL.revokeObjectURL(url)
}
