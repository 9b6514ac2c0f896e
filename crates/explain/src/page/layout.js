// Where the nodes go: each parent over the middle of its children, subtrees as close as they can stand.

/** Offsets of all nodes reachable through `childrenOf`; `widthOf` is the room a node takes, `gap` what is left between. */
const tidy = (root, childrenOf, widthOf, gap) => {
  const offset = new Map();
  const place = (id) => {
    const half = widthOf(id) / 2;
    const kids = childrenOf(id);
    const left = [-half];
    const right = [half];
    if (kids.length === 0) return { left, right };
    const merged = { left: [], right: [] };
    const at = [];
    for (const kid of kids) {
      const shape = place(kid);
      let shift = 0;
      const shared = Math.min(merged.right.length, shape.left.length);
      for (let depth = 0; depth < shared; depth++) shift = Math.max(shift, merged.right[depth] + gap - shape.left[depth]);
      at.push(shift);
      shape.left.forEach((x, depth) => { if (depth >= merged.left.length) merged.left[depth] = x + shift; });
      shape.right.forEach((x, depth) => { merged.right[depth] = x + shift; });
    }
    const middle = (at[0] + at[at.length - 1]) / 2;
    kids.forEach((kid, index) => offset.set(kid, at[index] - middle));
    merged.left.forEach((x) => left.push(x - middle));
    merged.right.forEach((x) => right.push(x - middle));
    return { left, right };
  };
  place(root);
  const x = new Map([[root, 0]]);
  const walk = (id) => childrenOf(id).forEach((kid) => {
    x.set(kid, x.get(id) + offset.get(kid));
    walk(kid);
  });
  walk(root);
  return x;
};

