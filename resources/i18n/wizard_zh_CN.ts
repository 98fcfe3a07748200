<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AdviceCard</name>
    <message>
        <source>Good to know</source>
        <translation>注意事项</translation>
    </message>
    <message>
        <source>Would change the plan</source>
        <translation>可改变方案的因素</translation>
    </message>
</context>
<context>
    <name>BatchCard</name>
    <message>
        <source>Batch {n}</source>
        <translation>批量 {n}</translation>
    </message>
</context>
<context>
    <name>BrokenFilesCard</name>
    <message numerus="yes">
        <source>%n broken files are left out</source>
        <translation>
            <numerusform>已剔除 %n 个损坏的文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n</source>
        <translation>
            <numerusform>全部 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Fewer</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Nothing is deleted; the script leaves them out and names them.</source>
        <translation>不会删除任何文件；脚本会跳过并列出它们。</translation>
    </message>
</context>
<context>
    <name>ColumnTable</name>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation>表格的列</translation>
    </message>
</context>
<context>
    <name>ColumnTableModel</name>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值</translation>
    </message>
</context>
<context>
    <name>ConflictCard</name>
    <message>
        <source>, and </source>
        <translation>，与</translation>
    </message>
    <message>
        <source>These answers can&apos;t go together</source>
        <translation>这些选项不能同时使用</translation>
    </message>
    <message>
        <source>Use one GPU</source>
        <translation>只用一块 GPU</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>several GPUs</source>
        <translation>多块 GPU</translation>
    </message>
    <message>
        <source>{question}: {answer}</source>
        <translation>{question}：{answer}</translation>
    </message>
</context>
<context>
    <name>DataPathCard</name>
    <message>
        <source>Can&apos;t be used</source>
        <translation>无法使用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a table</source>
        <translation>选择表格</translation>
    </message>
    <message>
        <source>Choose the folder of class folders</source>
        <translation>选择包含类别文件夹的文件夹</translation>
    </message>
    <message>
        <source>Choose your data, or go on: the script then takes yours later with --data.</source>
        <translation>请选择数据；也可直接继续，之后用 --data 指定。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Counting files…</source>
        <translation>正在统计文件…</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Go on without data: the script can still be tried with --smoke</source>
        <translation>不使用数据继续：仍可用 --smoke 试运行脚本</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>Looked at</source>
        <translation>已查看</translation>
    </message>
    <message>
        <source>Looking</source>
        <translation>正在查看</translation>
    </message>
    <message>
        <source>Made-up data</source>
        <translation>模拟数据</translation>
    </message>
    <message>
        <source>No data yet</source>
        <translation>尚无数据</translation>
    </message>
    <message>
        <source>Path of the data</source>
        <translation>数据路径</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Tables (*.csv *.tsv *.txt *.parquet);;All files (*)</source>
        <translation>表格 (*.csv *.tsv *.txt *.parquet);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The script is written for made-up data and takes yours later with --data.</source>
        <translation>脚本按模拟数据生成，之后用 --data 指定您的数据。</translation>
    </message>
</context>
<context>
    <name>DataStep</name>
    <message numerus="yes">
        <source>%n cannot be read</source>
        <translation>
            <numerusform>%n 个无法读取</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n classes</source>
        <translation>
            <numerusform>全部 %n 个类别</numerusform>
        </translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Fewer</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>How the data are used</source>
        <translation>数据如何使用</translation>
    </message>
    <message>
        <source>Others</source>
        <translation>换一批</translation>
    </message>
    <message>
        <source>Picture size</source>
        <translation>图片尺寸</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Pictures in each class</source>
        <translation>各类别图片数</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>读取速度</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Show other pictures</source>
        <translation>显示其他图片</translation>
    </message>
    <message>
        <source>Size on disk</source>
        <translation>磁盘占用</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>from the disk</source>
        <translation>来自磁盘</translation>
    </message>
    <message>
        <source>may be cached</source>
        <translation>可能来自缓存</translation>
    </message>
    <message>
        <source>median, colour</source>
        <translation>中位数，彩色</translation>
    </message>
    <message>
        <source>median, grey</source>
        <translation>中位数，灰度</translation>
    </message>
    <message>
        <source>one sub-folder each</source>
        <translation>每类一个子文件夹</translation>
    </message>
    <message>
        <source>pictures/s</source>
        <translation>张/秒</translation>
    </message>
    <message>
        <source>{least} – {most}, median {median}</source>
        <translation>{least} – {most}，中位数 {median}</translation>
    </message>
    <message>
        <source>{unit}/s</source>
        <translation>{unit}/秒</translation>
    </message>
</context>
<context>
    <name>ExpectedCard</name>
    <message>
        <source>Choose your data in step 2 to see how long an epoch takes.</source>
        <translation>在第 2 步选择数据后即可看到每轮用时。</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>预计效果</translation>
    </message>
    <message>
        <source>How long a processor takes is not known beforehand; a test run measures it.</source>
        <translation>CPU 训练所需时间无法预知，试运行会实测。</translation>
    </message>
    <message>
        <source>How long it takes is not known beforehand; a test run on your data measures it.</source>
        <translation>所需时间无法预知，用您的数据试运行会实测。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory and time were measured here on {day}; runs differ within the interval.</source>
        <translation>内存与时间为本机实测（{day}）；各次运行之差在区间之内。</translation>
    </message>
    <message>
        <source>Memory of each GPU</source>
        <translation>每块 GPU 显存</translation>
    </message>
    <message>
        <source>Memory was measured here on {day}.</source>
        <translation>内存为本机实测（{day}）。</translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation>每轮时间</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>每步时间</translation>
    </message>
    <message>
        <source>One training</source>
        <translation>训练时间</translation>
    </message>
    <message>
        <source>Predicted: holds at least eight times in ten. A test run on this machine narrows it.</source>
        <translation>预测值，至少有八成把握；在本机试运行后区间会收窄。</translation>
    </message>
    <message>
        <source>Predicted: the time holds at least eight times in ten, memory nine. A test run on this machine narrows both.</source>
        <translation>预测值：时间至少有八成把握，显存九成；在本机试运行后区间会收窄。</translation>
    </message>
    <message>
        <source>The last column is what your last change did</source>
        <translation>最后一列是您上次修改带来的变化</translation>
    </message>
    <message>
        <source>The plan follows your last change</source>
        <translation>方案已按您上次的修改更新</translation>
    </message>
    <message>
        <source>There is no plan yet.</source>
        <translation>尚无方案。</translation>
    </message>
    <message>
        <source>Time was measured here on {day}; runs differ within the interval.</source>
        <translation>时间为本机实测（{day}）；各次运行之差在区间之内。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>of {n}</source>
        <translation>/ {n}</translation>
    </message>
</context>
<context>
    <name>FitNote</name>
    <message>
        <source>What would help</source>
        <translation>可行的办法</translation>
    </message>
    <message>
        <source>{fit}: {n} of {usable}</source>
        <translation>{fit}：{n} / {usable}</translation>
    </message>
</context>
<context>
    <name>FixFirstCard</name>
    <message>
        <source>Open Compatibility</source>
        <translation>打开兼容性页面</translation>
    </message>
</context>
<context>
    <name>FormStep</name>
    <message>
        <source>Back to recommended</source>
        <translation>恢复推荐值</translation>
    </message>
    <message>
        <source>Takes every answer of this step back to the recommended one</source>
        <translation>将此步骤的所有选项恢复为推荐值</translation>
    </message>
</context>
<context>
    <name>GpuRow</name>
    <message>
        <source>MIG is on: one slice can be used</source>
        <translation>已启用 MIG：可使用一个实例</translation>
    </message>
    <message>
        <source>Not usable</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Not used</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>capability {cc}</source>
        <translation>计算能力 {cc}</translation>
    </message>
    <message>
        <source>{memory} in use now</source>
        <translation>当前已用 {memory}</translation>
    </message>
    <message>
        <source>{memory} were in use</source>
        <translation>录制时已用 {memory}</translation>
    </message>
</context>
<context>
    <name>HardwareStep</name>
    <message>
        <source>All usable GPUs</source>
        <translation>全部可用 GPU</translation>
    </message>
    <message>
        <source>Also fixed with several GPUs: XLA off, one step per call, accumulation inside the training step, synchronized BatchNorm in our own models.</source>
        <translation>使用多块 GPU 时还会固定：关闭 XLA、每次调用一步、在训练步内累积梯度、自建模型使用同步 BatchNorm。</translation>
    </message>
    <message>
        <source>Each card holds the whole model, the batch is shared</source>
        <translation>每块显卡保存完整模型，共同分担批量</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>MirroredStrategy, one process</source>
        <translation>MirroredStrategy，单进程</translation>
    </message>
    <message>
        <source>No GPU here. The script will run on the processor, slowly.</source>
        <translation>这里没有 GPU。脚本将在处理器上运行，速度较慢。</translation>
    </message>
    <message>
        <source>No distribution code in the script</source>
        <translation>脚本中不含分布式代码</translation>
    </message>
    <message>
        <source>One GPU</source>
        <translation>单块 GPU</translation>
    </message>
    <message>
        <source>Planned for a recorded machine; the script names GPUs by position.</source>
        <translation>为已录制的机器规划；脚本按位置指定 GPU。</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Simplest</source>
        <translation>最简单</translation>
    </message>
    <message>
        <source>The processor</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>To plan for another machine, choose it at the top of the left bar; every answer stays.</source>
        <translation>要为其他机器规划，请在左栏顶部选择；所有填写内容都会保留。</translation>
    </message>
    <message>
        <source>What is fastest and still fits</source>
        <translation>速度最快且装得下</translation>
    </message>
    <message>
        <source>named by UUID in the script, so a changed slot order does no harm</source>
        <translation>脚本中按 UUID 指定，插槽顺序变化也不受影响</translation>
    </message>
</context>
<context>
    <name>MeasureCard</name>
    <message>
        <source>What would help</source>
        <translation>可行的办法</translation>
    </message>
</context>
<context>
    <name>MemoryCard</name>
    <message>
        <source>Left to the system and to what else uses the card; TensorFlow never takes it</source>
        <translation>留给系统和其他使用该显卡的程序，TensorFlow 不会占用</translation>
    </message>
    <message>
        <source>Memory of the machine</source>
        <translation>本机内存</translation>
    </message>
    <message>
        <source>Memory on each GPU</source>
        <translation>每块 GPU 的显存</translation>
    </message>
    <message>
        <source>Memory on each {name}</source>
        <translation>每块 {name} 的显存</translation>
    </message>
    <message>
        <source>Memory on the {name}</source>
        <translation>{name} 的显存</translation>
    </message>
    <message>
        <source>Other batch sizes</source>
        <translation>其他批量</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>What your last change did</source>
        <translation>您上次修改带来的变化</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>all of these fit</source>
        <translation>以上都放得下</translation>
    </message>
    <message>
        <source>largest of these that fits: {n}</source>
        <translation>其中放得下的最大值：{n}</translation>
    </message>
    <message>
        <source>{unit} of {usable} usable, measured here on {day}</source>
        <translation>{unit} / 可用 {usable}，本机实测（{day}）</translation>
    </message>
    <message>
        <source>{unit} of {usable} usable, predicted for one training step</source>
        <translation>{unit} / 可用 {usable}，单个训练步的预测值</translation>
    </message>
    <message>
        <source>{unit}; how much is usable is not known</source>
        <translation>{unit}；可用量未知</translation>
    </message>
</context>
<context>
    <name>PreviewStrip</name>
    <message>
        <source>Some pictures of your data</source>
        <translation>您的数据中的部分图片</translation>
    </message>
</context>
<context>
    <name>QuestionField</name>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Automatic: {value}</source>
        <translation>自动：{value}</translation>
    </message>
    <message>
        <source>Now: {value}</source>
        <translation>当前：{value}</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮</translation>
    </message>
</context>
<context>
    <name>QuestionForm</name>
    <message>
        <source>More settings</source>
        <translation>更多设置</translation>
    </message>
</context>
<context>
    <name>RateCard</name>
    <message>
        <source>Learning rate</source>
        <translation>学习率曲线</translation>
    </message>
    <message>
        <source>highest {rate}</source>
        <translation>最高 {rate}</translation>
    </message>
</context>
<context>
    <name>RateCurve</name>
    <message>
        <source>From {start} to {peak} to {end} in {n} epochs</source>
        <translation>{n} 轮内从 {start} 升至 {peak}，再降至 {end}</translation>
    </message>
    <message>
        <source>Learning rate over the epochs</source>
        <translation>学习率随训练轮数的变化</translation>
    </message>
    <message>
        <source>epoch {n}</source>
        <translation>第 {n} 轮</translation>
    </message>
</context>
<context>
    <name>ReviewStep</name>
    <message>
        <source>Change this in step {n}</source>
        <translation>在第 {n} 步修改</translation>
    </message>
    <message>
        <source>Choice</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Every choice and its reason</source>
        <translation>每项选择及其理由</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>取值</translation>
    </message>
</context>
<context>
    <name>SavedBar</name>
    <message>
        <source>Changed since it was saved</source>
        <translation>保存后有修改</translation>
    </message>
    <message>
        <source>Choose another folder</source>
        <translation>选择其他文件夹</translation>
    </message>
    <message>
        <source>Files of these names are there already</source>
        <translation>已有同名文件</translation>
    </message>
    <message>
        <source>Replace files</source>
        <translation>替换文件</translation>
    </message>
    <message>
        <source>Save the changes</source>
        <translation>保存修改</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
</context>
<context>
    <name>ScriptStep</name>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose an empty folder for the script</source>
        <translation>为脚本选择一个空文件夹</translation>
    </message>
    <message>
        <source>Compiles, checked</source>
        <translation>可编译，已检查</translation>
    </message>
    <message>
        <source>Files of the script</source>
        <translation>脚本文件</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find in the script</source>
        <translation>在脚本中查找</translation>
    </message>
    <message>
        <source>Go to step {n}</source>
        <translation>转到第 {n} 步</translation>
    </message>
    <message>
        <source>The same answers give the same bytes.</source>
        <translation>相同的选项生成完全相同的文件。</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在写入…</translation>
    </message>
    <message>
        <source>line {n}</source>
        <translation>第 {n} 行</translation>
    </message>
    <message>
        <source>line {n}: {question}</source>
        <translation>第 {n} 行：{question}</translation>
    </message>
</context>
<context>
    <name>SplitBar</name>
    <message>
        <source>Split of the data</source>
        <translation>数据划分</translation>
    </message>
</context>
<context>
    <name>SplitCard</name>
    <message>
        <source>Early stopping</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>Final test</source>
        <translation>最终测试</translation>
    </message>
    <message>
        <source>Other shares</source>
        <translation>其他比例</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>数据划分</translation>
    </message>
    <message>
        <source>Split: training, early stopping, final test in percent</source>
        <translation>划分：训练、提前停止、最终测试（百分比）</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
</context>
<context>
    <name>TaskStep</name>
    <message>
        <source>Choose what the model should learn. Each step explains what it decides, and every answer can be changed later.</source>
        <translation>选择模型要学习的内容。每一步都会说明其作用，所有选项之后都可以修改。</translation>
    </message>
    <message>
        <source>Fits this machine</source>
        <translation>适合本机</translation>
    </message>
    <message>
        <source>May not fit</source>
        <translation>可能装不下</translation>
    </message>
    <message>
        <source>Memory not known</source>
        <translation>显存未知</translation>
    </message>
    <message>
        <source>Nothing chosen yet</source>
        <translation>尚未选择</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>可运行于</translation>
    </message>
    <message>
        <source>The processor, one GPU, or all GPUs of a machine</source>
        <translation>CPU、单块 GPU 或一台机器的全部 GPU</translation>
    </message>
    <message>
        <source>Too big</source>
        <translation>太大</translation>
    </message>
    <message>
        <source>You get</source>
        <translation>您将得到</translation>
    </message>
    <message>
        <source>You need</source>
        <translation>您需要</translation>
    </message>
    <message>
        <source>from {n}</source>
        <translation>{n} 起</translation>
    </message>
    <message>
        <source>how to run it</source>
        <translation>运行说明</translation>
    </message>
    <message>
        <source>opens here again</source>
        <translation>可在此重新打开</translation>
    </message>
    <message>
        <source>trains, can go on later</source>
        <translation>训练，可续训</translation>
    </message>
    <message>
        <source>uses the result</source>
        <translation>使用训练结果</translation>
    </message>
    <message>
        <source>what to install</source>
        <translation>依赖清单</translation>
    </message>
</context>
<context>
    <name>TestRunPanel</name>
    <message>
        <source>A test run proves that the script starts, trains, saves and reads back, and measures memory and time. It runs in {python}.</source>
        <translation>试运行会验证脚本能启动、训练、保存和读回，并实测显存与时间。运行环境：{python}。</translation>
    </message>
    <message>
        <source>Choose your data in step 2 first</source>
        <translation>请先在第 2 步选择数据</translation>
    </message>
    <message>
        <source>Measured values stand here after a test run on your data.</source>
        <translation>在您的数据上试运行后，这里会显示实测值。</translation>
    </message>
    <message>
        <source>Runs in {python}. It goes on when you look at another page.</source>
        <translation>在 {python} 中运行。切换到其他页面时继续运行。</translation>
    </message>
    <message>
        <source>Show in Runs</source>
        <translation>在运行记录中查看</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Test run</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>The chosen Python has no TensorFlow. Choose another one on the page Overview.</source>
        <translation>所选 Python 没有安装 TensorFlow。请在“概览”页面选择其他环境。</translation>
    </message>
    <message>
        <source>This script is for a recorded machine; run it there. Choose this machine to try it here.</source>
        <translation>此脚本针对已录制的机器，请在那台机器上运行。要在此试运行，请选择本机。</translation>
    </message>
    <message>
        <source>Try on made-up data</source>
        <translation>用模拟数据试运行</translation>
    </message>
    <message>
        <source>Try on my data</source>
        <translation>用我的数据试运行</translation>
    </message>
</context>
<context>
    <name>_Row</name>
    <message>
        <source>Do this</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>Do this: {what}</source>
        <translation>采用：{what}</translation>
    </message>
</context>
</TS>
