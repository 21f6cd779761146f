/** Further notes on a text. */
export const Notes = ({ notes }: { readonly notes: readonly string[] }) =>
  notes.map((note) => (
    <p key={note} class="note">
      {note}
    </p>
  ));
