;; Multiplies rows of int8 components with a query: the inner loop of the semantic signal. `scan-module.ts` has the bytes.
(module
  (import "own" "memory" (memory 0))

  ;; Rows are read in pairs, so that the query is loaded once for both; each product is stored as an i32 at $out.
  ;; $stride is the length of a row, a multiple of 16, and also that of the query.
  (func (export "scan")
    (param $row i32) (param $query i32) (param $stride i32) (param $pairs i32) (param $out i32)
    (local $other i32) (local $end i32) (local $at i32)
    (local $low v128) (local $high v128) (local $sums v128) (local $other_sums v128)

    (loop $next_pair
      (local.set $end (local.tee $other (i32.add (local.get $row) (local.get $stride))))
      (local.set $at (local.get $query))
      (local.set $sums (v128.const i32x4 0 0 0 0))
      (local.set $other_sums (v128.const i32x4 0 0 0 0))

      ;; sixteen components of the query and of both rows, widened to 16 bits in two halves; four sums for each row
      (loop $next_components
        (local.set $low (v128.load8x8_s align=1 (local.get $at)))
        (local.set $high (v128.load8x8_s offset=8 align=1 (local.get $at)))
        (local.set $sums
          (i32x4.add
            (i32x4.add
              (local.get $sums)
              (i32x4.dot_i16x8_s (v128.load8x8_s align=1 (local.get $row)) (local.get $low)))
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 align=1 (local.get $row)) (local.get $high))))
        (local.set $other_sums
          (i32x4.add
            (i32x4.add
              (local.get $other_sums)
              (i32x4.dot_i16x8_s (v128.load8x8_s align=1 (local.get $other)) (local.get $low)))
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 align=1 (local.get $other)) (local.get $high))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $other (i32.add (local.get $other) (i32.const 16)))
        (br_if $next_components
          (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end))))

      (i32.store
        (local.get $out)
        (i32.add
          (i32.add
            (i32.add
              (i32x4.extract_lane 0 (local.get $sums))
              (i32x4.extract_lane 1 (local.get $sums)))
            (i32x4.extract_lane 2 (local.get $sums)))
          (i32x4.extract_lane 3 (local.get $sums))))
      (i32.store offset=4
        (local.get $out)
        (i32.add
          (i32.add
            (i32.add
              (i32x4.extract_lane 0 (local.get $other_sums))
              (i32x4.extract_lane 1 (local.get $other_sums)))
            (i32x4.extract_lane 2 (local.get $other_sums)))
          (i32x4.extract_lane 3 (local.get $other_sums))))
      (local.set $out (i32.add (local.get $out) (i32.const 8)))

      ;; the next pair begins at the end of the second row
      (local.set $row (local.get $other))
      (br_if $next_pair (local.tee $pairs (i32.add (local.get $pairs) (i32.const -1)))))))
