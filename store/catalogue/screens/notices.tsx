/** Notices below the content of a page that shows products. URLs in the text become links. */
export function Notices({ notices }: { notices: string[] }) {
  return notices.map((notice) => (
    <p key={notice} className="max-w-read text-sm text-soft">
      {notice.split(/(https?:\/\/[^\s)]+)/).map((piece, place) =>
        place % 2 === 1 ? (
          <a key={piece} href={piece} rel="noopener" className="text-leaf underline underline-offset-2 hover:text-ink">
            {piece}
          </a>
        ) : (
          piece
        ),
      )}
    </p>
  ))
}
