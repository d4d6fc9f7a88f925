// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/reserved_words.h"

namespace warpwright {
namespace {

QSet<QString> wordsOf(const char *text) {
    const QStringList words = QString::fromLatin1(text).split(QLatin1Char(' '));
    return {words.begin(), words.end()};
}

const char *const languageWords =
    "float double int bool long short char auto const new delete this class struct union enum "
    "template typename operator return for while if else do switch case default break public "
    "private signed unsigned goto static void and or not xor using namespace half vector exp log "
    "threadIdx blockIdx volatile alignas alignof sizeof catch try throw friend inline extern register "
    "explicit "
    "export mutable asm constexpr decltype noexcept nullptr true false typeid virtual protected dim3 min max "
    "abs "
    "floorf fmaxf fabsf expf exp2f logf log1pf sqrtf uint4";

// By hand, not read from the templates: C++ writes about a third of these words, and many names of templates
// (x, y, input, mean) are in no buffer's way, which would only lose a good name.
// Parameters, counters and helper functions.
const char *const kernelWords =
    "ahead ask at batch batches before begin bit block blockPartials blocks blocksPerSm c cached candidate "
    "carry check clusterThread column columns combine combineMoments combineWarpPartials computeRows "
    "config convolution cosine cosSmallAngle count device digamma distance element elementOf elements end "
    "entry expBelowMax expOfDecay far fastCos fastDivide fastErf fastExp fastExpm1 fastLog fastLog1p "
    "fastPow fastSin fastSqrt fastTanh first firstColumn firstRow firstVector flipMask flipMaskOf floorMod "
    "floorModInt forward from gridThreads group guard i inner inputRow inverseErf is isAtLeast "
    "isFullVector isInBounds isLargeAngle isThere j key lane largest later launch launchEarly less "
    "log1pExp logAddExp logAddExpDouble logSumExp maximum meet memcpy minimum misalignment more most near "
    "neededBlocks next now one oneTimeStep orderedKey other pair pairBetween part partials partMean parts "
    "position power prefetch process product reduceBlock reduceCluster reduceModPi reduceOverY result "
    "reversedBlock row rowInBlock rows running scale scanBlock scanBlockVectors scanOverY scatterAdd "
    "scatterMax scatterMaxFloat scatterMin scatterMinFloat scatterStore second segment shared shifted "
    "sigmoid sigmoidDouble sine sinReduced sinSmallAngle smallest smCount some splat stage staged step "
    "storePartialVec storePartialVecReversed storeWarpPartial stream sum syncCluster tap targetRow thread "
    "tile tileColumn tileRow timeStep to toBFloat16 toFloat toHalf top total turn unclamped unclampedRow "
    "value values vec vectors waitForPreviousKernel wanted warp";

const char *const callWords =
    "a accum accumulate across alignmentOf alignments alpha apart arrive attribute b batch behind below "
    "beta bits box boxA boxB branches branchStream buffer capture captured channel chunk column "
    "columnInPart columns copy d data deep depth descA descB describe device down emplace empty "
    "emptyBarrier entry execute filter filterMap filterOf filters find first firstChannel firstColumn "
    "firstFilter firstPlane firstPosition firstRow firstSums firstUnit flatPosition found fragment "
    "fragmentB from full fullBarrier gate gather get1 get2 get3 get4 given graph group hasLayout height "
    "held held1 held2 held3 held4 high i image imageMap images in index inner innerOffset inRound inside "
    "isColumnInBounds isRow iteration j job k key lane last launch launches launchGraph left line load1 "
    "load2 loadA loadB loaded low lower m makeFilterMap makeImageMap makePlan makeTensorMap map mapA mapB "
    "materialize mbarrierArrive mbarrierExpectTx mbarrierInit mbarrierWait memory mine mirrored mma "
    "mnMajorDescriptor multiply multiply1 multiply2 multiply3 multiply4 multiply5 multiply6 multiply7 "
    "multiply8 n nearestInside neighbours none number odd of offset ofRow1 ofRow2 ofRow3 ofRow4 on one "
    "other otherEnd otherReceived0 otherReceived1 others ours out outColumn outPlane outRow own pack pack2 "
    "pack3 pack4 packed partialSums perColumn1 perColumn2 perColumn3 perDevice perRow1 phase piece place "
    "places plan plane plans position positionOf positions prefetch processors r read1 read10 read11 "
    "read12 read2 read3 read4 read5 read6 read7 read8 read9 received0 received1 result results right "
    "rounded roundToTf32 rowBase rowOf rowOffset rows second segment set shared shift side sizes sizesA "
    "sizesB smallMatrix smemA smemB smemDescriptor smemFilters smemPixels source sourcePlane sourceRow "
    "square squares stage staged staging start status step streams strides stridesA stridesB strip sum "
    "sums syncWarpgroup taken tallRows tap tapD tapW tapWeight target thread tile tileCoord tileIndex "
    "tileOffset timeStep tmaLoad2d tmaLoad3d tmaLoadFilters tmaLoadIm2col to top transpose turn turned "
    "unit upper values vector1 vector2 vector3 vector4 w warp warpFirstRow warpgroup warpgroupM warpgroupN "
    "warpK warpN warpRow wgmma wgmmaCommitGroup wgmmaFence wgmmaHalf width window zero";

const char *const scoreWords =
    "at attention base block blockRow fastExp2 firstKey forEachScore fragmentB high i inverse inverseSum "
    "keys keyTiles largest lastKey lastRow ldmatrixX4 ldmatrixX4Transposed loadQuery logit low memory mma "
    "most multiply n newMax next nextTile other packPair part parts place probabilities queries query "
    "rescale result0 result1 roundToTf32 rowMax rowSum scaledMax score scores second shared some source "
    "step t valueTiles warpLastRow weight weights";

const char *const orderWords =
    "bits c entries entry exchange far isBefore isMinusZero keyOf lane low mask mine near run shared sortRow "
    "theirs value valueOf wanted";

} // namespace

const QSet<QString> &reservedWords() {
    static const QSet<QString> words = wordsOf(languageWords) + wordsOf(kernelWords);
    return words;
}

const QSet<QString> &structuredOpWords() {
    static const QSet<QString> words = wordsOf(callWords);
    return words;
}

const QSet<QString> &attentionWords() {
    static const QSet<QString> words = wordsOf(scoreWords);
    return words;
}

const QSet<QString> &sortWords() {
    static const QSet<QString> words = wordsOf(orderWords);
    return words;
}

} // namespace warpwright
